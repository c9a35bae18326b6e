import { ownAnswer } from "../../lib/request/own-answer.ts";
import { downloadUrl } from "../../lib/request/rendition-url.ts";

/** A photo, video or recording to hand to the system's share sheet. */
export interface SharedFile {
  /** The signed URL: the server answers with the original for those who may have it, and with the copy for others. */
  url: string;
  name: string;
  /** Whether it is shared as it is shown, and not as its file is. */
  shown?: boolean;
}

const ENDINGS: Record<string, string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "image/heic": "heic",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
};

/**
 * A name that ends like its type, because a copy may have another type than the original, and that no other file has:
 * systems drop the second file of a name.
 */
export function sharedName(name: string, type: string, usedNames: readonly string[]): string {
  const ending = ENDINGS[type];
  const base = name.replace(/\.\w{2,5}$/, "");
  const extension = /\.(\w{2,5})$/.exec(name)?.[1] ?? "";
  const isRight = extension.toLowerCase().replace("jpeg", "jpg") === ending;
  const full = ending && !isRight ? `${base}.${ending}` : name;
  if (!usedNames.includes(full)) return full;
  for (let number = 2; ; number++) {
    const numbered = full.replace(/(\.\w+)?$/, ` ${number}$1`);
    if (!usedNames.includes(numbered)) return numbered;
  }
}

/** Loads the files, one after the other, because a phone has little memory. */
export async function loadFiles(all: readonly SharedFile[]): Promise<File[]> {
  const files: File[] = [];
  for (const { url, name, shown } of all) {
    const response = ownAnswer(await fetch(downloadUrl(url, name, { shown })));
    if (!response.ok) throw new Error(`Failed to load a photo: ${response.status}`);
    const bytes = await response.blob();
    const type = bytes.type.split(";")[0] ?? "";
    const usedNames = files.map((file) => file.name);
    files.push(new File([bytes], sharedName(name, type, usedNames), { type }));
  }
  return files;
}

/**
 * Opens the share sheet. "too late" means that loading has taken longer than the browser remembers the touch, so that the
 * person has to ask once more.
 */
export async function openSheet(files: File[]): Promise<"done" | "too late" | "too many"> {
  if (!navigator.canShare({ files })) return "too many";
  try {
    await navigator.share({ files });
    return "done";
  } catch (error) {
    const { name } = error as DOMException;
    // The person has closed the sheet.
    if (name === "AbortError") return "done";
    if (name === "NotAllowedError") return "too late";
    throw error;
  }
}
