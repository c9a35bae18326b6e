import type { PhotoEdit } from "../../../shared/photo-edit.ts";
import type { Photo } from "../../data/media.queries.ts";
import type { PhotoOrder } from "../../data/photo-order.ts";
import type { ChangeOfSides } from "./sides/sides.queries.ts";

/** The signed-in person's actions on photos. Actions that are not allowed are absent. */
export interface PhotoActions {
  /** Returns whether the person may edit and delete a photo: they manage the memory, or added the photo. */
  mayChange: (photo: Photo) => boolean;
  remove: (photos: readonly Photo[]) => void;
  /** Turns photos clockwise by a quarter, or by a negative one. */
  turn: (photos: readonly Photo[], degrees: number) => void;
  /** Stores how a photo is shown, over the edit that it has here. */
  edit: (photo: Pick<Photo, "id" | "edit" | "revision">, edit: PhotoEdit) => void;
  /** Shows a photo as it was taken. What is blurred stays so. */
  showAsTaken: (photo: Photo) => void;
  chooseCover?: (photo: Photo) => void;
  /** Hides photos from everyone except managers and the people who added them. */
  hide?: (photos: readonly Photo[]) => void;
  /** Opens the dialog for moving photos to another memory. */
  move?: (photos: readonly Photo[]) => void;
  /** Moves photos before the photo at index `gap` of `shown`. */
  arrange?: (photos: readonly Photo[], ids: ReadonlySet<string>, gap: number) => void;
  /** Pairs, swaps or separates the fronts and backs of prints. */
  changeSides?: (change: ChangeOfSides) => void;
  /** Saves the memory's photo order for everyone. */
  setOrder?: (order: PhotoOrder) => void;
}
