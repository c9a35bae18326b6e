import type { Item } from "./contents.ts";
import type { FileToMeasure } from "./measured-files.ts";

/** An item as its caller gets it: their original, or a copy without place and device. */
export const ownForm = ({ object }: Item): FileToMeasure => ({
  object,
  form: object.access === "original" ? "original" : "copy",
});

/** The video of a photo as its caller gets it: the original, or a copy; undefined where there is none beside the photo's own file. */
export function motionForm({ object, motion, video }: Item): FileToMeasure | undefined {
  if (video?.access === "original") return { object: video, form: "original" };
  return motion === "ready" && object.access !== "original" ? { object, form: "motion" } : undefined;
}
