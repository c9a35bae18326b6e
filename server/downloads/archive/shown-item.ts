import type { Item } from "../contents.ts";

/** A photo or video as a page shows it; addresses are relative to the page, and encoded. */
export interface ShownItem {
  item: Item;
  /** The file itself. */
  file: string;
  /** What fills the window: the file, or a copy where browsers can not show it; absent where nothing can be shown. */
  large?: string;
  /** The video that was recorded with the photo, where it is a file of its own. */
  video?: string | undefined;
  /** What is in the page. */
  small?: { src: string; width: number; height: number };
}

/** Types that every browser shows; of others a copy is shown. */
const SHOWN_BY_BROWSERS = new Set(["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"]);
export const isShownByBrowsers = (type: string): boolean => SHOWN_BY_BROWSERS.has(type);

/** Pixels of the small copy of a picture; a square where nobody knows. */
export function smallSize({ width, height }: Pick<Item, "width" | "height">): { width: number; height: number } {
  if (!width || !height) return { width: 640, height: 640 };
  const shown = Math.min(640, width);
  return { width: shown, height: Math.max(1, Math.round((height * shown) / width)) };
}

/** What is seen in it, for those who can not see it. */
export const altOf = (item: Item, otherwise: string): string => item.alt_text || item.caption || otherwise;
