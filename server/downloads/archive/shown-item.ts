import type { Item } from "../contents.ts";

/** A photo or video on a page; URLs are relative to the page, and encoded. */
export interface ShownItem {
  item: Item;
  file: string;
  /** The URL for the lightbox: the file, or a copy if browsers cannot show it; absent without either. */
  large?: string;
  /** The URLs of the pages of a paper after its first one, if its file is that page. */
  pages: string[];
  /** The video or raw photo of the photo, if it is a separate file. */
  video?: string | undefined;
  /** The back of the print: its file, and the URL for the lightbox. */
  back?: { file: string; large: string | undefined } | undefined;
  /** The small picture in the page. */
  small?: { src: string; width: number; height: number };
}

/** Types that every browser shows; other types are shown as a copy. */
const SHOWN_BY_BROWSERS = new Set(["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"]);
export const isShownByBrowsers = (type: string): boolean => SHOWN_BY_BROWSERS.has(type);

/** The size of the small picture in pixels; a square if unknown. */
export function smallSize({ width, height }: Pick<Item, "width" | "height">): { width: number; height: number } {
  if (!width || !height) return { width: 640, height: 640 };
  const shownWidth = Math.min(640, width);
  return { width: shownWidth, height: Math.max(1, Math.round((height * shownWidth) / width)) };
}

/** The alternative text; the text of a paper is beside it. */
export const altOf = (item: Item, otherwise: string): string =>
  (!item.pages && item.alt_text) || item.caption || otherwise;
