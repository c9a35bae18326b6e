import exifr from "exifr";
import { localTimeAt } from "../../shared/local-time.ts";
import { type ClockTime, clockTime } from "../files/dates/clock-time.ts";
import { type PictureMetadata, pictureMetadata } from "../files/pictures/metadata.ts";

/**
 * A date in a photo's file. Its kind decides which date of several is used; `private.date_of_evidence` has the order,
 * and also rejects dates of unset clocks. `local` is false for a time that may be in UTC.
 */
export interface DateEvidence {
  kind: "taken" | "digitized" | "gps" | "modified";
  source: "exif" | "xmp" | "iptc" | "png";
  at: string;
  local: boolean;
}

/** The maximum number of XMP bytes to search. */
const MOST_XMP_BYTES = 1024 * 1024;

/** Keywords of dates in PNG; the first is the standard's. */
const PNG_KEYWORDS = ["creation time", "create-date", "date:create", "datetimeoriginal", "exif:datetimeoriginal"];

/** Reads the dates of a photo, the more reliable before the others of their kind. */
export const photoDates = async (photo: string | Buffer): Promise<DateEvidence[]> =>
  datesIn(await pictureMetadata(photo));

/** The dates in a photo's descriptions, the more reliable before the others of their kind. */
export async function datesIn(metadata: PictureMetadata): Promise<DateEvidence[]> {
  const exif = await exifOf(metadata.exif);
  const xmp = metadata.xmp?.subarray(0, MOST_XMP_BYTES).toString("utf8") ?? "";
  const { iptc } = metadata;
  const dates: [DateEvidence["kind"], DateEvidence["source"], ClockTime | undefined][] = [
    ["taken", "exif", localClock(exif.DateTimeOriginal)],
    ["taken", "xmp", xmpDate(xmp, "exif:DateTimeOriginal") ?? xmpDate(xmp, "photoshop:DateCreated")],
    ["taken", "iptc", iptc && iptcDate(iptc, IPTC.created)],
    ["taken", "png", pngDate(metadata)],
    ["digitized", "exif", localClock(exif.CreateDate)],
    ["digitized", "xmp", xmpDate(xmp, "exif:DateTimeDigitized") ?? xmpDate(xmp, "(?:xmp|xap):CreateDate")],
    ["digitized", "iptc", iptc && iptcDate(iptc, IPTC.digitized)],
    ["gps", "exif", gpsTime(exif)],
    ["modified", "exif", localClock(exif.ModifyDate)],
    ["modified", "xmp", xmpDate(xmp, "tiff:DateTime")],
  ];
  return dates.flatMap(([kind, source, date]) =>
    date ? [{ kind, source, at: date.at, local: date.zone !== "utc" }] : [],
  );
}

const TAGS = [
  "DateTimeOriginal",
  "CreateDate",
  "ModifyDate",
  "GPSDateStamp",
  "GPSTimeStamp",
  "GPSLatitude",
  "GPSLatitudeRef",
  "GPSLongitude",
  "GPSLongitudeRef",
];

/** The tags of all blocks; those of the first ones count. */
async function exifOf(blocks: readonly (string | Buffer)[]): Promise<Record<string, unknown>> {
  const all = await Promise.all(
    blocks.map(
      (block): Promise<Record<string, unknown> | undefined> =>
        exifr.parse(block, { pick: TAGS, reviveValues: false }).catch(() => undefined),
    ),
  );
  return Object.assign({}, ...all.reverse());
}

/** EXIF's times are local, whatever zone a program adds. */
function localClock(value: unknown): ClockTime | undefined {
  const date = clockTime(value);
  return date && { at: date.at };
}

/** The time of the satellites, at the photo's place if that is known, otherwise in UTC. */
function gpsTime(exif: Record<string, unknown>): ClockTime | undefined {
  const day = clockTime(exif.GPSDateStamp)?.at;
  const time = Array.isArray(exif.GPSTimeStamp) ? exif.GPSTimeStamp.map(Number) : [];
  if (day?.length !== "YYYY-MM-DD".length || time.length !== 3) return undefined;
  const [hours = Number.NaN, minutes = 0, seconds = 0] = time;
  const instant = new Date(Date.parse(day) + (hours * 3600 + minutes * 60 + Math.floor(seconds)) * 1000);
  if (Number.isNaN(instant.getTime())) return undefined;
  const { latitude, longitude } = exif;
  const local =
    typeof latitude === "number" && typeof longitude === "number" && localTimeAt(instant, { latitude, longitude });
  return local ? clockTime(local) : { at: instant.toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length), zone: "utc" };
}

/** An XMP property, as an attribute or element. */
function xmpDate(xmp: string, property: string): ClockTime | undefined {
  const value = xmp.match(
    new RegExp(`\\s${property}\\s*=\\s*["']([^"']{4,40})["']|<${property}>([^<]{4,40})</${property}>`),
  );
  return clockTime(value?.[1] ?? value?.[2]);
}

/** The datasets of a day and its time. */
const IPTC = { created: [55, 60], digitized: [62, 63] } as const;

/** Reads a day (`19620714`, unknown parts are zero) and its time (`160509+0200`). */
function iptcDate(iptc: Buffer, [day, time]: (typeof IPTC)[keyof typeof IPTC]): ClockTime | undefined {
  const date = iptcText(iptc, day)?.match(/^\d{8}/)?.[0];
  if (!date) return undefined;
  const [clock] = iptcText(iptc, time)?.match(/^\d{6}/) ?? [];
  // IPTC's times are local.
  const [, year, month, dayOfMonth] = date.match(/^(\d{4})(\d\d)(\d\d)/) ?? [];
  return (clock ? clockTime(`${date}T${clock}`) : undefined) ?? clockTime(`${year}:${month}:${dayOfMonth}`);
}

const IPTC_MARK = 0x1c;
const APPLICATION_RECORD = 2;

function iptcText(iptc: Buffer, dataset: number): string | undefined {
  const at = iptc.indexOf(Buffer.from([IPTC_MARK, APPLICATION_RECORD, dataset]));
  if (at < 0 || at + 5 > iptc.length) return undefined;
  return iptc.subarray(at + 5, at + 5 + iptc.readUInt16BE(at + 3)).toString("latin1");
}

function pngDate({ comments = [] }: PictureMetadata): ClockTime | undefined {
  for (const name of PNG_KEYWORDS) {
    const date = clockTime(comments.find(({ keyword }) => keyword.toLowerCase() === name)?.text);
    if (date) return date;
  }
}
