import { MOST_LETTER_PHOTOS } from "../../../../shared/letter-limits.ts";
import type { Photo } from "../../../data/media.queries.ts";

/** Whether one person can be asked about these: one to ten photos that are ready. */
export const mayAskAbout = (photos: readonly Photo[]) =>
  photos.length > 0 &&
  photos.length <= MOST_LETTER_PHOTOS &&
  photos.every(({ type, state, pages }) => type === "image" && state === "ready" && pages === null);
