import type { Item } from "./contents.ts";
import type { FileToMeasure } from "./measured-files.ts";

/** Returns an item's file as the caller may have it: the original, or a copy without location and device. */
export const ownForm = ({ object }: Item): FileToMeasure => ({
  object,
  form: object.access === "original" ? "original" : "copy",
});

/** Returns the pages of a paper after its first one, if the caller gets pictures of them instead of the original. */
export const pageForms = ({ object, pages }: Item): FileToMeasure[] =>
  object.access === "original"
    ? []
    : Array.from({ length: (pages ?? 1) - 1 }, (_, index) => ({ object, form: `page-${index + 2}` }));

/**
 * Returns the file that is attached to a photo, as the caller may have it: its video, raw photo or back; undefined without
 * one.
 */
export function attachedForm({ object, motion, video, back }: Item): FileToMeasure | undefined {
  if (video?.access === "original") return { object: video, form: "original" };
  if (back) return { object: { ...back, access: "copy" }, form: "copy", front: object };
  // The video of an edited photo would show what was cut off.
  return motion === "ready" && object.access !== "original" && !object.edit ? { object, form: "motion" } : undefined;
}
