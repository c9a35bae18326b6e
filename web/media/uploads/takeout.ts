/** The most people of a sidecar, as of a photo. */
const MOST_PEOPLE = 100;

/** Maximum size of a sidecar in bytes. */
const MOST_BYTES = 256 * 1024;
/** The length to which Takeout shortens longer file names. */
const SHORTENED = 46;

const isSidecar = (file: File) => /\.json$/i.test(file.name) && file.size <= MOST_BYTES;

/** Separates photos and videos from their sidecars. If there are only sidecars, they are returned as media. */
export function withoutSidecars(files: readonly File[]): { media: readonly File[]; sidecars: readonly File[] } {
  const media = files.filter((file) => !isSidecar(file));
  return media.length > 0 ? { media, sidecars: files.filter(isSidecar) } : { media: files, sidecars: [] };
}

/** What a sidecar says of its photo. */
export interface SidecarFacts {
  /** `YYYY-MM-DDTHH:MM:SS` in UTC, or the local time with its offset behind it if the sidecar has a place. */
  taken: string;
  /** Names of people in the photo; absent without any. */
  people?: string[];
}

/** Facts by name; undefined for a name with two. */
type FactsByName = Map<string, SidecarFacts | undefined>;

/** What sidecars say of photos, by file name. Nothing for a name that two photos share. */
export async function factsBeside(sidecars: readonly File[]): Promise<(name: string) => SidecarFacts | undefined> {
  const [byName, byTitle, byStem]: [FactsByName, FactsByName, FactsByName] = [new Map(), new Map(), new Map()];
  for (const file of sidecars) {
    const { facts, title } = await read(file);
    if (!facts) continue;
    const name = describedBy(file.name);
    add(byName, name, facts);
    add(byTitle, normalized(title), facts);
    // The video of a Live Photo has the sidecar of its photo.
    if (MEDIA_NAME.test(name)) add(byStem, stemOf(name), facts);
  }
  const shortened = [...byName.keys()].filter((name) => name.length >= SHORTENED);
  return (name) => {
    const own = normalized(name);
    const names = [own, own.replace(EDITED, "$1$2")];
    for (const candidate of names) {
      const key = byName.has(candidate) ? candidate : shortened.find((start) => candidate.startsWith(start));
      if (key !== undefined) return byName.get(key);
    }
    for (const candidate of names) {
      const facts = byTitle.get(candidate) ?? byStem.get(stemOf(candidate));
      if (facts) return facts;
    }
    return undefined;
  };
}

function add(all: FactsByName, name: string, facts: SidecarFacts): void {
  if (!name) return;
  const isOther = all.has(name) && JSON.stringify(all.get(name)) !== JSON.stringify(facts);
  all.set(name, isOther ? undefined : facts);
}

/** Some systems decompose the letters of file names. */
const normalized = (name: string) => name.normalize("NFC").toLowerCase();
const stemOf = (name: string) => name.replace(/\.[^.]*$/, "");

/** The word for an edited copy, in any language: `IMG_1-bearbeitet(2).jpg` is a copy of `IMG_1(2).jpg`. */
const EDITED = /-[\p{L}\p{M} ]{2,24}((?:\(\d+\))?)(\.[^.]+)$/u;
const MEDIA_NAME =
  /^(.*\.(?:jpe?g|jfif|png|gif|webp|hei[cf]|avif|tiff?|bmp|jxl|jp2|dng|cr[23]|nef|arw|raf|orf|rw2|mp4|mov|m4v|3gp|avi|m2?ts|mkv|webm|mpe?g|wmv|mp))(?:\..*)?$/;

/** The photo's name for a sidecar: `IMG_1.jpg.supplemental-metadata(2).json` describes `IMG_1(2).jpg`. */
function describedBy(sidecar: string): string {
  const [, beginning = "", number = ""] = normalized(sidecar).match(/^(.*?)(\(\d+\))?\.json$/) ?? [];
  // The ending after the photo's name differs by language and age, and may be cut off.
  const name = beginning.match(MEDIA_NAME)?.[1] ?? beginning;
  return number ? name.replace(/(\.[^.]+)?$/, `${number}$1`) : name;
}

/** A sidecar's fields. Read by hand: a schema library would be a tenth of the code of every signed-in person's page. */
function fieldsOf(sidecar: unknown) {
  const { title, photoTakenTime, people, geoData, geoDataExif } = recordOf(sidecar);
  const { timestamp } = recordOf(photoTakenTime);
  if (typeof timestamp !== "string" || !/^-?\d{1,11}$/.test(timestamp)) throw new Error("It is no sidecar of a photo");
  return {
    title: textOf(title, 1000),
    taken: new Date(Number(timestamp) * 1000),
    people: Array.isArray(people) ? people.map((person) => textOf(recordOf(person).name, 200)) : [],
    place: [geoData, geoDataExif].map(degreesOf).find((place) => place && (place.latitude || place.longitude)),
  };
}

const recordOf = (value: unknown) =>
  (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
const textOf = (value: unknown, most: number) => (typeof value === "string" && value.length <= most ? value : "");
function degreesOf(value: unknown) {
  const { latitude, longitude } = recordOf(value);
  return Number.isFinite(latitude) && Number.isFinite(longitude)
    ? { latitude: latitude as number, longitude: longitude as number }
    : undefined;
}

async function read(file: File): Promise<{ facts?: SidecarFacts; title: string }> {
  try {
    const { title, people, taken, place } = fieldsOf(JSON.parse(await file.text()));
    const names = [...new Set(people.map((name) => name.trim()))].filter(Boolean).slice(0, MOST_PEOPLE);
    const named = names.length > 0 ? { people: names } : {};
    const utc = taken.toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length);
    if (!place) return { facts: { taken: utc, ...named }, title };
    const { localTimeAt } = await import("../../../shared/local-time.ts");
    return { facts: { taken: localTimeAt(taken, place) ?? utc, ...named }, title };
  } catch {
    // Other JSON, e.g. of an album.
    return { title: "" };
  }
}
