import type { Item } from "./contents.ts";
import type { FileToMeasure } from "./measured-files.ts";

/** An item as its caller gets it: their original, or a copy without place and device. */
export const ownForm = ({ object }: Item): FileToMeasure => ({
  object,
  form: object.access === "original" ? "original" : "copy",
});
