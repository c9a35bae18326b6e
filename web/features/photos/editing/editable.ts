import type { Photo } from "../../../data/media.queries.ts";

/** Whether a photo can be turned and cropped: papers, recordings and what is not ready yet cannot. */
export const isEditable = ({ type, pages, state }: Pick<Photo, "type" | "pages" | "state">): boolean =>
  type === "image" && !pages && state === "ready";
