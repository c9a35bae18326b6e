import type { Photo } from "../../data/media.queries.ts";
import type { PhotoOrder } from "../../data/photo-order.ts";

/** The signed-in person's actions on photos; forbidden ones are absent. */
export interface PhotoActions {
  /** Whether they may write of this one and delete it: they keep the memory, or they added it. */
  mayChange: (photo: Photo) => boolean;
  remove: (photos: readonly Photo[]) => void;
  chooseCover?: (photo: Photo) => void;
  /** Hides them from all but managers and who added them. */
  hide?: (photos: readonly Photo[]) => void;
  /** Offers other memories to move them to. */
  move?: (photos: readonly Photo[]) => void;
  /** Puts some of the photos, as they are shown, into the gap before the one of this number. */
  arrange?: (shown: readonly Photo[], ids: ReadonlySet<string>, gap: number) => void;
  /** Keeps the order for everyone. */
  setOrder?: (order: PhotoOrder) => void;
}
