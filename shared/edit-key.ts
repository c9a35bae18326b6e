import type { PhotoEdit } from "./photo-edit.ts";

/** A name of the edit for files and URLs: the same for the same picture; empty without an edit. */
export const editKey = (edit: PhotoEdit | null | undefined): string =>
  edit ? [edit.turn, edit.straighten, ...edit.crop, ...(edit.blur ? [`b${digest(blurKey(edit))}`] : [])].join("_") : "";

/** The blurred parts of an edit as a text: the same for the same parts; empty without any. */
export const blurKey = (edit: PhotoEdit | null | undefined): string => `${edit?.blur ?? ""}`;

/** 64 bits of a text, because blurred parts would be too long for a name. */
function digest(text: string): string {
  const halves = [0x9e3779b9, 0x85ebca6b].map((seed) => {
    let half = seed;
    for (let at = 0; at < text.length; at++) {
      half = Math.imul(half ^ text.charCodeAt(at), seed | 1);
      half ^= half >>> 15;
    }
    return (half >>> 0).toString(36);
  });
  return halves.join("");
}
