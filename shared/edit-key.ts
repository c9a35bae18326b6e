import type { PhotoEdit } from "./photo-edit.ts";

/** A name of the edit for files and URLs: the same for the same picture; empty without an edit. */
export const editKey = (edit: PhotoEdit | null | undefined): string =>
  edit ? [edit.turn, edit.straighten, ...edit.crop].join("_") : "";
