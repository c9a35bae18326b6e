import { useEffect } from "react";
import { keyOf, type Photo } from "../../../data/photo.ts";
import type { PhotoOrder } from "../../../data/photo-order.ts";
import type { MemoryPhotos } from "../../../media/use-memory-photos.ts";

interface OutlineUse {
  order: PhotoOrder;
  /** Whether what the reader does needs the rows of all photos. */
  needsRows: boolean;
  /** The id in the URL. */
  openId: string | null;
  /** Called with the whole id of the photo in the URL, once it is loaded. */
  onOpen: (id: string) => void;
}

/** Loads what the page needs of an outlined list. Returns the photo that the URL opens, once its row is loaded. */
export function useOutline(memory: MemoryPhotos, { order, needsRows, openId, onOpen }: OutlineUse): Photo | undefined {
  const { photos, isPart, load, loadAll, reorder } = memory;
  const outlineOrder = isPart ? photos.find(({ rank }) => rank)?.rank?.order : undefined;
  useEffect(() => {
    if (outlineOrder && outlineOrder !== order) reorder(order);
  }, [outlineOrder, order, reorder]);
  useEffect(() => {
    if (isPart && needsRows) loadAll();
  }, [isPart, needsRows, loadAll]);

  const open =
    openId === null
      ? undefined
      : (photos.find(({ id }) => id === openId) ?? photos.find(({ id }) => keyOf(id) === keyOf(openId)));
  useEffect(() => {
    if (open?.outlined) load([open]);
    else if (open && open.id !== openId) onOpen(open.id);
  }, [open, openId, load, onOpen]);
  return open && !open.outlined && open.id === openId ? open : undefined;
}
