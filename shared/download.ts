import { z } from "zod";
import { TimeZone } from "./time-zone.ts";

/** Maximum number of photos and videos in a selection. */
export const MOST_SELECTED = 5000;

const How = {
  /** Whether to add HTML pages that show the files in any browser without the internet. */
  archive: z.boolean().default(false),
  /** The language of these pages. */
  language: z.enum(["en", "it"]).default("en"),
  /** The reader's time zone, for the times of comments and files. */
  timeZone: TimeZone.catch("UTC").default("UTC"),
};

/** The whole account of a person, for import into another installation. */
const WholeAccount = z.strictObject({ account: z.literal(true), ...How });
/** A memory, an album, or some photos and videos. */
const PartOfAccount = z.union([
  z.strictObject({ memoryId: z.guid(), ...How }),
  z.strictObject({ albumId: z.guid(), ...How }),
  z.strictObject({ mediaIds: z.array(z.guid()).min(1).max(MOST_SELECTED), ...How }),
]);
/** Body of prepare-download: the contents of a ZIP file. */
export const PrepareDownload = z.union([PartOfAccount, WholeAccount]);
export type WantedContents = z.infer<typeof PartOfAccount>;
export type PrepareDownload = z.infer<typeof PrepareDownload>;
export type WantedDownload = z.input<typeof PrepareDownload>;

/** The response while copies are still being made. Repeating the request continues the work. */
export interface DownloadInPreparation {
  state: "preparing";
  /** The number of files that are ready, out of `files`. */
  ready: number;
  files: number;
}

/** A prepared ZIP file. */
export interface DownloadReady {
  state: "ready";
  /** Valid for a day, without headers. Each use checks the caller's access again. */
  url: string;
  /** The file name. */
  name: string;
  /** Bytes of the whole ZIP file. */
  size: number;
  /** Photos and videos in it. */
  files: number;
  /** The number of photos and videos left out because no copy without location and device data can be made. */
  leftOut: number;
}

export type DownloadAnswer = DownloadInPreparation | DownloadReady;
