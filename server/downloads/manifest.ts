import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { layOut, type ZipLayout } from "../zip/zip-layout.ts";
import type { ZipEntry } from "../zip/zip-records.ts";
import type { FileForm } from "./file-forms.ts";
import type { MeasuredFile } from "./measured-files.ts";

/** A file of a download: bytes that are stored, or a text that was written for it. */
export type ManifestEntry = Pick<ZipEntry, "path" | "at"> &
  (({ file: FileForm } & Pick<MeasuredFile, "size" | "crc32">) | { text: string });

/** All that a download is made of; the same manifest always makes the same bytes. */
export interface Manifest {
  /** The name under which it is saved. */
  name: string;
  /** Ids of the memories it shows something of. */
  memories: string[];
  /** Ids of the stories and comments whose words are in it; none in one that was prepared before they were noted. */
  told?: string[];
  /** Ids of the memories of which it says who told and said what. */
  named?: string[];
  /** Photos and videos in it. */
  files: number;
  entries: ManifestEntry[];
}

/** A file and what it is checked by, on its way into a manifest. */
export type SummedEntry = ManifestEntry & { sha256: string };

/** A stored file at a place of an archive. */
export const storedEntry = (path: string, at: string, file: FileForm, measured: MeasuredFile): SummedEntry => ({
  path,
  at,
  file: { form: file.form, object: pick(file.object) },
  size: measured.size,
  crc32: measured.crc32,
  sha256: measured.sha256,
});

const pick = ({ id, bucket, version, type, size }: FileForm["object"]) => ({ id, bucket, version, type, size });

/** A text at a place of an archive. */
export const textEntry = (path: string, at: string, text: string): SummedEntry => ({
  path,
  at,
  text,
  sha256: createHash("sha256").update(text).digest("hex"),
});

/** The entries with the list of their checksums, which `sha256sum -c checksums.sha256` reads inside of `folder`. */
export function withChecksums(folder: string, at: string, summed: SummedEntry[]): ManifestEntry[] {
  const lines = summed.map(({ sha256, path }) => `${sha256}  ${path.slice(folder.length + 1)}\n`);
  const entries = summed.map(({ sha256: _, ...entry }) => entry);
  return [...entries, { path: `${folder}/checksums.sha256`, at, text: lines.join("") }];
}

type LaidOut = ZipEntry & ManifestEntry;

/** The ZIP file that a manifest makes. */
export const layoutOf = ({ entries }: Manifest): ZipLayout<LaidOut> =>
  layOut(
    entries.map((entry): LaidOut => {
      if ("file" in entry) return entry;
      const bytes = Buffer.from(entry.text);
      return { ...entry, size: bytes.length, crc32: crc32(bytes) };
    }),
  );
