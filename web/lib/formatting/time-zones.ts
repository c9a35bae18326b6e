/** The time zones that the browser and the database both know. */
export const timeZones = (current: string): string[] => [
  ...new Set([current, ...Intl.supportedValuesOf("timeZone").filter((zone) => zone.includes("/")), "UTC"]),
];
