import type { Photo } from "../../data/media.queries.ts";
import type { PhotoOrder } from "../../data/photo-order.ts";

/** The signed-in person's actions on photos; forbidden ones are absent. */
export interface PhotoActions {
  /** Whether they may edit and delete a photo: they manage the memory, or added it. */
  mayChange: (photo: Photo) => boolean;
  remove: (photos: readonly Photo[]) => void;
  chooseCover?: (photo: Photo) => void;
  /** Hides photos from all but managers and the people who added them. */
  hide?: (photos: readonly Photo[]) => void;
  /** Opens the dialog for moving photos to another memory. */
  move?: (photos: readonly Photo[]) => void;
  /** Moves photos before the one at index `gap`, in the shown order. */
  arrange?: (shown: readonly Photo[], ids: ReadonlySet<string>, gap: number) => void;
  /** Saves the order for everyone. */
  setOrder?: (order: PhotoOrder) => void;
}
