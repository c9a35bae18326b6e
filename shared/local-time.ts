import lookUp from "@photostructure/tz-lookup";

/** Degrees; north and east are positive. */
export interface Place {
  latitude: number;
  longitude: number;
}

const MINUTE_MS = 60_000;

/**
 * The local time of an instant at a place, with its offset: `2019-05-04T12:33:11+02:00`. Undefined without a zone, e.g.
 * for a place that does not exist.
 */
export function localTimeAt(instant: Date, { latitude, longitude }: Place): string | undefined {
  const exists = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  // Devices without a position write zeros.
  if (!exists || Number.isNaN(instant.getTime()) || (latitude === 0 && longitude === 0)) return undefined;
  try {
    const parts = new Intl.DateTimeFormat("en", { timeZone: lookUp(latitude, longitude), timeZoneName: "longOffset" });
    const name = parts.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign = "+", hours = "00", minutes = "00"] = name.match(/([+-])(\d\d):(\d\d)/) ?? [];
    const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
    const local = new Date(instant.getTime() + offset * MINUTE_MS).toISOString();
    return `${local.slice(0, "YYYY-MM-DDTHH:MM:SS".length)}${sign}${hours}:${minutes}`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Parses ISO 6709, as phones write a video's place: `+45.4642+009.1900+122.000/`. */
export function placeOf(text: unknown): Place | undefined {
  const parts = typeof text === "string" && text.match(/^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)/);
  return parts ? { latitude: Number(parts[1]), longitude: Number(parts[2]) } : undefined;
}
