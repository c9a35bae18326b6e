import { z } from "zod";

/** The most photos and videos that one selection may hold. */
export const MOST_SELECTED = 5000;

const How = {
  /** Pages around the files that open in any browser from a disk. */
  archive: z.boolean().default(false),
  /** Of those pages. */
  language: z.enum(["en", "it"]).default("en"),
};

/** All that somebody owns here, for another installation to take in. */
const WholeAccount = z.strictObject({ account: z.literal(true), ...How });
/** A memory, an album, or some photos and videos. */
const PartOfAccount = z.union([
  z.strictObject({ memoryId: z.guid(), ...How }),
  z.strictObject({ albumId: z.guid(), ...How }),
  z.strictObject({ mediaIds: z.array(z.guid()).min(1).max(MOST_SELECTED), ...How }),
]);
/** What somebody wants as one ZIP file. */
export const PrepareDownload = z.union([PartOfAccount, WholeAccount]);
export type WantedContents = z.infer<typeof PartOfAccount>;
export type PrepareDownload = z.infer<typeof PrepareDownload>;
export type WantedDownload = z.input<typeof PrepareDownload>;

/** Copies are still being made: asking again goes on with them. */
export interface DownloadInPreparation {
  state: "preparing";
  /** Files that are ready, of so many. */
  ready: number;
  files: number;
}

/** A ZIP file that lies ready. */
export interface DownloadReady {
  state: "ready";
  /** Without a header, for a day; every use asks again what the caller may have. */
  url: string;
  /** The name under which it is saved. */
  name: string;
  /** Bytes of the whole ZIP file. */
  size: number;
  /** Photos and videos in it. */
  files: number;
  /** Photos and videos of which no copy without place and device can be made. */
  leftOut: number;
}

export type DownloadAnswer = DownloadInPreparation | DownloadReady;
