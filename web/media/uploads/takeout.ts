import { z } from "zod";

/** A file of Google Takeout that lies beside a photo and has what the photo itself may lack. */
const Sidecar = z.object({ photoTakenTime: z.object({ timestamp: z.string().regex(/^-?\d{1,11}$/) }) });

/** Larger ones are something else. */
const MOST_BYTES = 256 * 1024;
/** Takeout shortens names that are longer. */
const SHORTENED = 46;

const isSidecar = (file: File) => /\.json$/i.test(file.name) && file.size <= MOST_BYTES;

/** Photos and videos apart from the files that describe them; where there are only such files, they are taken as they are. */
export function withoutSidecars(files: readonly File[]): { media: readonly File[]; sidecars: readonly File[] } {
  const media = files.filter((file) => !isSidecar(file));
  return media.length > 0 ? { media, sidecars: files.filter(isSidecar) } : { media: files, sidecars: [] };
}

/** When photos were taken, by their names, as `YYYY-MM-DDTHH:MM:SS` in UTC; a name that two photos share has none. */
export async function takenBeside(sidecars: readonly File[]): Promise<(name: string) => string | undefined> {
  const taken = new Map<string, string | undefined>();
  for (const file of sidecars) {
    const date = await dateIn(file);
    const name = describedBy(file.name);
    if (date) taken.set(name, taken.has(name) && taken.get(name) !== date ? undefined : date);
  }
  const shortened = [...taken.keys()].filter((name) => name.length >= SHORTENED);
  return (name) => {
    const original = name.toLowerCase().replace(/-(edited|modificat[oa]|bearbeitet|modifié)(?=\.[^.]+$)/, "");
    return taken.get(original) ?? taken.get(shortened.find((start) => original.startsWith(start)) ?? original);
  };
}

/** The photo that a sidecar describes: `IMG_1.jpg.supplemental-metadata(2).json` lies beside `IMG_1(2).jpg`. */
function describedBy(sidecar: string): string {
  const [, name = "", number = ""] = sidecar.toLowerCase().match(/^(.*?)(?:\.s[a-z-]*)?(\(\d+\))?\.json$/) ?? [];
  return number ? name.replace(/(\.[^.]+)?$/, `${number}$1`) : name;
}

async function dateIn(file: File): Promise<string | undefined> {
  try {
    const { photoTakenTime } = Sidecar.parse(JSON.parse(await file.text()));
    return new Date(Number(photoTakenTime.timestamp) * 1000).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length);
  } catch {
    // Some other JSON, as an album's own.
    return undefined;
  }
}
