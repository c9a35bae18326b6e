import { typedLine } from "../../../shared/typed-text.ts";

/** A person's name in a picture's file, with the middle of their region as fractions of the upright picture, if it has one. */
export interface NamedRegion {
  name: string;
  x: number | null;
  y: number | null;
}

interface Size {
  width: number;
  height: number;
}

/** How a picture's pixels are stored: EXIF's orientation, from 1 to 8, and the size before it is applied. */
export interface StoredPicture extends Size {
  orientation: number;
}

const MOST_REGIONS = 100;
const MOST_XMP = 1024 * 1024;
const LONGEST_NAME = 200;

/**
 * The people in a picture's XMP: regions of the Metadata Working Group (`mwg-rs`, also written by Picasa, Lightroom and digiKam),
 * of Microsoft's photo programs (`MP`), and the IPTC's list of people shown (`PersonInImage`). Each name occurs once.
 */
export function namedRegions(xmp: string, picture: StoredPicture): NamedRegion[] {
  const text = xmp.slice(0, MOST_XMP);
  const byName = new Map<string, NamedRegion>();
  for (const region of [...workingGroup(text, picture), ...microsoft(text, picture), ...iptc(text)]) {
    const existing = byName.get(region.name);
    if (!existing || (existing.x === null && region.x !== null)) byName.set(region.name, region);
    if (byName.size >= MOST_REGIONS) break;
  }
  return [...byName.values()];
}

function workingGroup(text: string, picture: StoredPicture): NamedRegion[] {
  const list = between(text, /<mwg-rs:RegionList\b/, /<\/mwg-rs:RegionList>/);
  if (list === undefined) return [];
  const dimensions = tagOf(text, "mwg-rs:AppliedToDimensions") ?? "";
  const applied = { width: numberIn(dimensions, "stDim:w"), height: numberIn(dimensions, "stDim:h") };
  return items(list).flatMap((item) => {
    const type = propertyOf(item, "mwg-rs:Type");
    const name = nameFrom(propertyOf(item, "mwg-rs:Name"));
    if (name === undefined || (type && !/^face$/i.test(type))) return [];
    const area = tagOf(item, "mwg-rs:Area") ?? "";
    const unit = propertyOf(area, "stArea:unit");
    const point = { x: numberIn(area, "stArea:x"), y: numberIn(area, "stArea:y") };
    if (unit === "pixel") {
      point.x /= applied.width;
      point.y /= applied.height;
    }
    return [{ name, ...upright(point, picture, applied) }];
  });
}

function microsoft(text: string, picture: StoredPicture): NamedRegion[] {
  const list = between(text, /<MPRI:Regions\b/, /<\/MPRI:Regions>/);
  if (list === undefined) return [];
  return items(list).flatMap((item) => {
    const name = nameFrom(propertyOf(item, "MPReg:PersonDisplayName"));
    if (name === undefined) return [];
    const [left, top, width, height] = (propertyOf(item, "MPReg:Rectangle") ?? "").split(",").map(Number);
    const point = { x: Number(left) + Number(width) / 2, y: Number(top) + Number(height) / 2 };
    return [{ name, ...upright(point, picture, { width: Number.NaN, height: Number.NaN }) }];
  });
}

function iptc(text: string): NamedRegion[] {
  const list = between(text, /<Iptc4xmpExt:PersonInImage\b/, /<\/Iptc4xmpExt:PersonInImage>/);
  if (list === undefined) return [];
  return [...list.matchAll(/<rdf:li\b[^<>]*>([^<]*)<\/rdf:li>/g)].flatMap(([, words]) => {
    const name = nameFrom(words);
    return name === undefined ? [] : [{ name, x: null, y: null }];
  });
}

/**
 * A point of the stored picture on the upright one; null if it is outside. Some programs write upright regions: their
 * dimensions are those of the upright picture, as far as the orientation exchanges both.
 */
function upright({ x, y }: { x: number; y: number }, picture: StoredPicture, applied: Size) {
  const isInside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
  if (!isInside) return { x: null, y: null };
  const { orientation, width, height } = picture;
  const isUpright =
    orientation > 4 && width !== height && Math.abs(applied.width / applied.height - height / width) < 0.02;
  const [fromLeft, fromTop] = isUpright ? [x, y] : turned(x, y, orientation);
  return { x: rounded(fromLeft), y: rounded(fromTop) };
}

function turned(x: number, y: number, orientation: number): [x: number, y: number] {
  switch (orientation) {
    case 2:
      return [1 - x, y];
    case 3:
      return [1 - x, 1 - y];
    case 4:
      return [x, 1 - y];
    case 5:
      return [y, x];
    case 6:
      return [1 - y, x];
    case 7:
      return [1 - y, 1 - x];
    case 8:
      return [y, 1 - x];
    default:
      return [x, y];
  }
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

/** The text between the first match of both expressions. */
function between(text: string, start: RegExp, end: RegExp): string | undefined {
  const from = text.search(start);
  if (from < 0) return undefined;
  const rest = text.slice(from);
  const to = rest.search(end);
  return to < 0 ? undefined : rest.slice(0, to);
}

/** The items of a list; an item may contain others. */
const items = (list: string): string[] => list.split(/<rdf:li\b/).slice(1, MOST_REGIONS * 2);

/** A property with its attributes and content. */
function tagOf(text: string, name: string): string | undefined {
  const from = text.indexOf(`<${name}`);
  if (from < 0) return undefined;
  const opening = text.slice(from, text.indexOf(">", from) + 1);
  if (opening.endsWith("/>")) return opening;
  const to = text.indexOf(`</${name}>`, from);
  return to < 0 ? opening : text.slice(from, to);
}

/** The value of a property, which XMP writes as an attribute or as an element. */
function propertyOf(text: string, name: string): string | undefined {
  const [, , quoted] = text.match(new RegExp(`\\b${name}\\s*=\\s*(["'])([^<]*?)\\1`)) ?? [];
  const [, element] = text.match(new RegExp(`<${name}\\b[^<>]*>([^<]*)</${name}>`)) ?? [];
  return quoted ?? element;
}

const numberIn = (text: string, name: string) => Number.parseFloat(propertyOf(text, name) ?? "");

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function nameFrom(value: string | undefined): string | undefined {
  const decoded = (value ?? "").replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, word) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined;
    if (code !== undefined) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    return ENTITIES[String(word).toLowerCase()] ?? whole;
  });
  const name = typedLine(decoded);
  return name === "" || name.length > LONGEST_NAME ? undefined : name;
}
