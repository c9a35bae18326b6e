import { z } from "zod";

/** The most photos and videos that one selection may hold. */
export const MOST_SELECTED = 5000;

const How = {
  /** Pages around the files that open in any browser from a disk. */
  archive: z.boolean().default(false),
  /** Of those pages. */
  language: z.enum(["en", "it"]).default("en"),
};

/** Everything that a person owns here, for import into another installation. */
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

/** Copies are still being made: repeating the request continues. */
export interface DownloadInPreparation {
  state: "preparing";
  /** Files that are ready, of so many. */
  ready: number;
  files: number;
}

/** A prepared ZIP file. */
export interface DownloadReady {
  state: "ready";
  /** Needs no header, for a day; each use checks the caller's access again. */
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
