/** Names that Windows keeps for devices, whatever ending they have. */
const DEVICES = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;
/** What no file system, or not each of them, takes in a name, and what shows a name other than it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNSAFE = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f]/g;
const INVISIBLE = /[\u200e\u200f\u061c\u202a-\u202e\u2060-\u206f\ufeff]/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Characters a name may have. Windows opens no path beyond 260 in all, and people unpack deep inside their folders;
 * other systems allow 255 bytes a name, which three bytes a character keep to.
 */
const LONGEST = 80;
const LONGEST_ENDING = 10;

/** A name that every system takes for a file or a folder, as close to what was given as can be; `otherwise` where nothing is left. */
export function safeName(given: string, otherwise: string): string {
  const plain = given
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

/** The name with another ending. */
export const withEnding = (name: string, ending: string): string => `${split(name)[0]}.${ending}`;

/** Gives out names one by one, each only once in its folder, also where large and small letters count as the same. */
export function uniqueNames() {
  const taken = new Set<string>();
  // A thousand files of one name must not each try all the numbers before.
  const next = new Map<string, number>();
  return (folder: string, name: string): string => {
    const [stem, ending] = split(name);
    const first = sameness(`${folder}/${name}`);
    let number = next.get(first) ?? 1;
    let given = number === 1 ? name : `${stem} (${number})${ending}`;
    while (taken.has(sameness(`${folder}/${given}`))) given = `${stem} (${++number})${ending}`;
    next.set(first, number + 1);
    taken.add(sameness(`${folder}/${given}`));
    return given;
  };
}

/** Stem and ending, the dot with the latter; a long ending is none. */
function split(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= LONGEST_ENDING ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
}

/** The first characters, none cut in two. */
const shorten = (text: string, length: number) =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, "");

/** Equal for names that some file system takes for the same one. */
const sameness = (path: string) => path.normalize("NFKC").toUpperCase().toLowerCase();
