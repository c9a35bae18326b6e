import type { Item } from "./contents.ts";
import type { FileToMeasure } from "./measured-files.ts";

/** An item in the caller's form: the original, or a copy without place and device. */
export const ownForm = ({ object }: Item): FileToMeasure => ({
  object,
  form: object.access === "original" ? "original" : "copy",
});

/** A photo's video in the caller's form; undefined without a separate video. */
export function motionForm({ object, motion, video }: Item): FileToMeasure | undefined {
  if (video?.access === "original") return { object: video, form: "original" };
  return motion === "ready" && object.access !== "original" ? { object, form: "motion" } : undefined;
}
