import type { MemoryContents } from "../contents.ts";
import type { ShownItem } from "./shown-item.ts";
import type { ArchiveTexts } from "./texts.ts";

/** What a memory's page, and each section of it, is written from. */
export interface MemoryPageProps {
  memory: MemoryContents;
  items: ShownItem[];
  /** What fills the head of the page. */
  cover?: string;
  words: ArchiveTexts;
  root: string;
  /** The way to the page of the album it is in. */
  back?: string;
  today: string;
}
