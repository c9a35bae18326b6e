/** The languages of the app, each in its own name. */
export const languages = [
  { code: "en", name: "English" },
  { code: "it", name: "Italiano" },
] as const;

export type Language = (typeof languages)[number]["code"];
