import exifr from "exifr";
import sharp, { type Metadata } from "sharp";
import { type ApproximateDate, parseDate } from "../../shared/approximate-date.ts";

/** The date of a photo, and its source in the file. */
export interface PhotoDate {
  takenAt: ApproximateDate;
  source: "exif" | "xmp" | "iptc" | "png";
}

/** The oldest plausible date: a camera whose clock was never set writes year 0 or 1. */
const FIRST_YEAR = 1826;
const ZONES_MS = 86_400_000;
/** The maximum number of XMP bytes to search. */
const MOST_XMP_BYTES = 1024 * 1024;

/** Keywords of dates in PNG; the first is the standard's. */
const PNG_KEYWORDS = ["creation time", "create-date", "date:create", "datetimeoriginal"];

/**
 * Reads the date of a photo; null without one. Dates of taking come first, in the order EXIF, XMP, IPTC, PNG text.
 * Dates of digitising come last: for a scan they are later than the photo.
 */
export async function photoDate(photo: string | Buffer): Promise<PhotoDate | null> {
  const facts = await sharp(photo, { failOn: "none" })
    .metadata()
    .catch(() => undefined);
  if (!facts) return null;
  // A TIFF has its tags in its own structure; the other formats have them in a block.
  const exif = await exifOf(facts.format === "tiff" ? photo : facts.exif);
  const xmp = facts.xmp?.subarray(0, MOST_XMP_BYTES).toString("utf8") ?? "";
  const found: [PhotoDate["source"], ApproximateDate | undefined][] = [
    ["exif", clockTime(exif.DateTimeOriginal)],
    ["xmp", xmpDate(xmp, "exif:DateTimeOriginal") ?? xmpDate(xmp, "photoshop:DateCreated")],
    ["iptc", facts.iptc && iptcDate(facts.iptc)],
    ["png", pngDate(facts)],
    ["exif", clockTime(exif.CreateDate)],
    ["xmp", xmpDate(xmp, "exif:DateTimeDigitized") ?? xmpDate(xmp, "xmp:CreateDate")],
  ];
  for (const [source, takenAt] of found) if (takenAt) return { takenAt, source };
  return null;
}

async function exifOf(exif: string | Buffer | undefined): Promise<Record<string, unknown>> {
  if (!exif) return {};
  // The block begins with its name, which is not part of the TIFF structure.
  const named = typeof exif !== "string" && exif.subarray(0, 4).toString("latin1") === "Exif";
  const tiff = named ? exif.subarray(6) : exif;
  const tags: Record<string, unknown> | undefined = await exifr
    .parse(tiff, { pick: ["DateTimeOriginal", "CreateDate"], reviveValues: false })
    .catch(() => undefined);
  return tags ?? {};
}

/**
 * Parses a date of a tag (`2019:05:04 23:59:58`, `2019-05-04T23:59:58+02:00`, `1962-07`, `1962`, `1962:07:00`) with its
 * precision. Undefined for an implausible date, e.g. of a camera that was never set. The zone is dropped: the result is
 * the local time at the place of taking.
 */
export function clockTime(text: unknown): ApproximateDate | undefined {
  const parts =
    typeof text === "string" &&
    text.trim().match(/^(\d{4})(?:[:-](\d\d)(?:[:-](\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d))?.*)?)?)?$/);
  if (!parts) return undefined;
  const [, year, month, day, time, seconds = "00"] = parts;
  return sensible(year, month, day, time && `${time}:${seconds}`);
}

/** Returns a date of these parts, if plausible. A part that is zero is unknown. */
function sensible(year = "", month = "00", day = "00", time?: string): ApproximateDate | undefined {
  const known =
    month === "00"
      ? year
      : day === "00"
        ? `${year}-${month}`
        : `${year}-${month}-${day}${time === undefined ? "" : `T${time}`}`;
  const parts = parseDate(known);
  const latest = new Date(Date.now() + ZONES_MS).toISOString();
  return parts && parts.year >= FIRST_YEAR && known <= latest ? known : undefined;
}

/** An XMP property, as an attribute or element. */
function xmpDate(xmp: string, property: string): ApproximateDate | undefined {
  const value = xmp.match(
    new RegExp(`\\s${property}\\s*=\\s*["']([^"']{4,40})["']|<${property}>([^<]{4,40})</${property}>`),
  );
  return clockTime(value?.[1] ?? value?.[2]);
}

/** Reads IPTC's DateCreated (`19620714`, unknown parts are zero) and TimeCreated (`160509+0200`). */
function iptcDate(iptc: Buffer): ApproximateDate | undefined {
  const [, year, month, day] = iptcText(iptc, 55)?.match(/^(\d{4})(\d\d)(\d\d)/) ?? [];
  const [, hour, minute, second] = iptcText(iptc, 60)?.match(/^(\d\d)(\d\d)(\d\d)/) ?? [];
  return sensible(year, month, day, hour && `${hour}:${minute}:${second}`);
}

const IPTC_MARK = 0x1c;
const APPLICATION_RECORD = 2;

function iptcText(iptc: Buffer, dataset: number): string | undefined {
  const at = iptc.indexOf(Buffer.from([IPTC_MARK, APPLICATION_RECORD, dataset]));
  if (at < 0 || at + 5 > iptc.length) return undefined;
  return iptc.subarray(at + 5, at + 5 + iptc.readUInt16BE(at + 3)).toString("latin1");
}

function pngDate({ comments = [] }: Metadata): ApproximateDate | undefined {
  for (const wanted of PNG_KEYWORDS) {
    const text = comments.find(({ keyword }) => keyword.toLowerCase() === wanted)?.text;
    const date = clockTime(text) ?? mailDate(text);
    if (date) return date;
  }
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Parses the format that the PNG standard suggests: `Sun, 14 Jul 2024 16:05:09 +0200`. */
function mailDate(text = ""): ApproximateDate | undefined {
  const parts = text.match(/(\d{1,2}) ([a-z]{3})[a-z]* (\d{4})(?: (\d\d:\d\d:\d\d))?/i);
  if (!parts) return undefined;
  const [, day = "", name = "", year, time] = parts;
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  return sensible(year, String(month).padStart(2, "0"), day.padStart(2, "0"), time);
}
