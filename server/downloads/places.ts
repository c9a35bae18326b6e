import { dateOrder } from "../../shared/approximate-date.ts";
import { MEDIA_EXTENSIONS } from "../../shared/media-types.ts";
import type { Contents, Item, MemoryContents } from "./contents.ts";
import { safeName, uniqueNames, withEnding } from "./file-names.ts";

/** Where everything of a download lies. */
export interface Places {
  /** The one folder that everything is in, so that unpacking scatters nothing. */
  folder: string;
  /** Whether each memory has a folder of its own in it, as those of an album have. */
  together: boolean;
  /** The folder of a memory, with the above. */
  ofMemory(memory: MemoryContents): string;
  /** A name that nothing else in `folder` has, for a photo or video in this type of file. */
  name(folder: string, item: Item, type: string): string;
  /** The same for the video of a photo. */
  videoName(folder: string, item: Item, type: string): string;
}

/** Finds a place for everything; the memories of an album have folders of their own. */
export function placesOf({ album, memories }: Contents): Places {
  const unique = uniqueNames();
  // A name of one memory alone, or none of many: what they have in common is where they come from.
  const folder = safeName(album ?? (memories.length === 1 ? (memories[0]?.person_name ?? "") : ""), "Skies");
  const together = album !== null || memories.length !== 1;
  const folders = new Map(
    memories.map((memory) => [
      memory.id,
      together ? `${folder}/${unique(folder, safeName(memory.person_name, "Skies"))}` : folder,
    ]),
  );
  const name: Places["name"] = (inFolder, item, type) => {
    const kind = item.type === "image" ? "photo" : "video";
    // What it was called is not everybody's to know; a date sorts as well.
    const plain = item.taken_at ? `${item.taken_at.replace(/[T~].*/, "")} ${kind}` : kind;
    const given = safeName(item.file_name || plain, kind);
    const ending = MEDIA_EXTENSIONS[type];
    // An original keeps what it was called; a copy is called what it is.
    const named =
      type === item.object.type && /\.[^.]{2,5}$/.test(given) ? given : ending ? withEnding(given, ending) : given;
    return unique(inFolder, named);
  };
  return {
    folder,
    together,
    ofMemory: ({ id }) => folders.get(id) ?? folder,
    name,
    videoName: (inFolder, item, type) =>
      name(inFolder, item.video ? { ...item, object: item.video, file_name: item.video.file_name } : item, type),
  };
}

/** The clock that a file is dated by, `YYYY-MM-DDTHH:MM:SS`: the earliest at which it was taken, else when it came. */
export const clockOf = ({ taken_at, created_at }: Item): string =>
  (dateOrder(taken_at) ?? created_at).slice(0, "YYYY-MM-DDTHH:MM:SS".length);
