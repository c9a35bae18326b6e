import { dateOrder } from "../../shared/approximate-date.ts";
import { MEDIA_EXTENSIONS } from "../../shared/media-types.ts";
import type { Contents, Item, MemoryContents } from "./contents.ts";

/** Names that Windows reserves for devices, with any extension. */
const DEVICES = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;
/** Characters that some file systems refuse, and invisible characters that disguise a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNSAFE = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f]/g;
const INVISIBLE = /[\u200e\u200f\u061c\u202a-\u202e\u2060-\u206f\ufeff]/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * The maximum characters of a name. Windows limits a whole path to 260 characters, and people unpack into deep folders.
 * Other systems allow 255 bytes a name: 80 characters of three bytes fit.
 */
const LONGEST = 80;
const LONGEST_ENDING = 10;

/** Returns the closest file or folder name that is valid on all systems; `otherwise` if no characters are left. */
export function safeName(original: string, otherwise: string): string {
  const plain = original
    .normalize("NFC")
    .replace(LONE_SURROGATE, "")
    .replace(INVISIBLE, "")
    .replace(UNSAFE, "_")
    .replace(/\s+/g, " ");
  const [stem, ending] = split(plain);
  const short = shorten(stem, LONGEST - ending.length);
  const name = `${short}${ending}`.replace(/^[\s.]+|[\s.]+$/g, "");
  if (name === "" || /^_+$/.test(name)) return otherwise;
  return DEVICES.test(split(name)[0]) || DEVICES.test(name.split(".")[0] ?? "") ? `_${name}` : name;
}

/** The name with another extension. */
export const withEnding = (name: string, ending: string): string => `${split(name)[0]}.${ending}`;

/** Makes names unique in their folder, ignoring case. */
export function uniqueNames() {
  const usedNames = new Set<string>();
  // The next free number by name, so that a thousand equal names do not each try all earlier numbers.
  const next = new Map<string, number>();
  return (folder: string, name: string): string => {
    const [stem, ending] = split(name);
    const first = sameness(`${folder}/${name}`);
    let number = next.get(first) ?? 1;
    let fileName = number === 1 ? name : `${stem} (${number})${ending}`;
    while (usedNames.has(sameness(`${folder}/${fileName}`))) fileName = `${stem} (${++number})${ending}`;
    next.set(first, number + 1);
    usedNames.add(sameness(`${folder}/${fileName}`));
    return fileName;
  };
}

/** Stem and extension with its dot; a long extension counts as none. */
function split(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= LONGEST_ENDING ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
}

/** The first characters; surrogate pairs stay whole. */
const shorten = (text: string, length: number) =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, "");

/** Comparison key: equal for names that some file system considers the same. */
const sameness = (path: string) => path.normalize("NFKC").toUpperCase().toLowerCase();

const KINDS = { image: "photo", video: "video", audio: "recording", paper: "paper" };

const kindOf = ({ type, pages }: Item) => KINDS[pages ? "paper" : type];

/** The name of an item whose original name may be private. A date also sorts correctly. */
const plainName = (item: Item) =>
  item.taken_at ? `${item.taken_at.replace(/[T~].*/, "")} ${kindOf(item)}` : kindOf(item);

/** The folders and file names of a download. */
export interface Places {
  /** The top folder, so that unpacking creates a single folder. */
  folder: string;
  /** Whether each memory has its own folder, as in an album. */
  together: boolean;
  /** The folder of a memory, including the top folder. */
  ofMemory(memory: MemoryContents): string;
  /** A unique name in `folder` for a photo, video, recording, paper or page of this file type. */
  name(folder: string, item: Item, type: string): string;
  /** A unique name for the file that is attached to a photo. The copy of a back is named as scanners name backs. */
  attachedName(folder: string, item: Item, type: string): string;
}

export function placesOf({ album, memories }: Contents): Places {
  const unique = uniqueNames();
  // Named after the only memory, or after the site if there are several.
  const folder = safeName(album ?? (memories.length === 1 ? (memories[0]?.person_name ?? "") : ""), "Skies");
  const together = album !== null || memories.length !== 1;
  const folders = new Map(
    memories.map((memory) => [
      memory.id,
      together ? `${folder}/${unique(folder, safeName(memory.person_name, "Skies"))}` : folder,
    ]),
  );
  const name: Places["name"] = (inFolder, item, type) => {
    const fileName = safeName(item.file_name || plainName(item), kindOf(item));
    const ending = MEDIA_EXTENSIONS[type];
    // An original keeps its name; a copy is named by its type.
    const named =
      type === item.object.type &&
      (item.type !== "audio" || item.object.access === "original") &&
      /\.[^.]{2,5}$/.test(fileName)
        ? fileName
        : ending
          ? withEnding(fileName, ending)
          : fileName;
    return unique(inFolder, named);
  };
  return {
    folder,
    together,
    ofMemory: ({ id }) => folders.get(id) ?? folder,
    name,
    attachedName(inFolder, item, type) {
      const { video, back } = item;
      if (video) return name(inFolder, { ...item, object: video, file_name: video.file_name }, type);
      if (!back) return name(inFolder, item, type);
      const [stem, ending] = split(item.file_name || plainName(item));
      return name(inFolder, { ...item, file_name: `${stem}_b${ending}` }, type);
    },
  };
}

/** The time of a file, `YYYY-MM-DDTHH:MM:SS`: the earliest possible time of taking, otherwise the time of upload. */
export const clockOf = ({ taken_at, created_at }: Item): string =>
  (dateOrder(taken_at) ?? created_at).slice(0, "YYYY-MM-DDTHH:MM:SS".length);
