import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { layOut, type ZipLayout } from "../zip/zip-layout.ts";
import type { ZipEntry } from "../zip/zip-records.ts";
import type { FileForm } from "./file-forms.ts";
import type { MeasuredFile } from "./measured-files.ts";

/** A file of a download: stored bytes or a generated text. */
export type ManifestEntry = Pick<ZipEntry, "path" | "at"> &
  (({ file: FileForm } & Pick<MeasuredFile, "size" | "crc32">) | { text: string });

/** A complete description of a download; the same manifest always yields the same bytes. */
export interface Manifest {
  /** The file name. */
  name: string;
  /** Ids of the memories with content in it. */
  memories: string[];
  /** Ids of the stories and comments in it; absent in manifests of an earlier version. */
  told?: string[];
  /** Ids of the memories whose authors it names. */
  named?: string[];
  /** The number of photos and videos in it. */
  files: number;
  entries: ManifestEntry[];
}

/** An entry with its checksum. */
export type SummedEntry = ManifestEntry & { sha256: string };

/** A stored file at a path of the archive. */
export const storedEntry = (path: string, at: string, file: FileForm, measured: MeasuredFile): SummedEntry => ({
  path,
  at,
  file: {
    form: file.form,
    object: pick(file.object),
    ...(file.front && { front: { id: file.front.id, version: file.front.version } }),
  },
  size: measured.size,
  crc32: measured.crc32,
  sha256: measured.sha256,
});

const pick = ({ id, bucket, version, type, size, edit }: FileForm["object"]) => ({
  id,
  bucket,
  version,
  type,
  size,
  ...(edit && { edit }),
});

/** A text at a path of the archive. */
export const textEntry = (path: string, at: string, text: string): SummedEntry => ({
  path,
  at,
  text,
  sha256: createHash("sha256").update(text).digest("hex"),
});

/** Adds the list of checksums, which `sha256sum -c checksums.sha256` reads inside `folder`. */
export function withChecksums(folder: string, at: string, summed: SummedEntry[]): ManifestEntry[] {
  const lines = summed.map(({ sha256, path }) => `${sha256}  ${path.slice(folder.length + 1)}\n`);
  const entries = summed.map(({ sha256: _, ...entry }) => entry);
  return [...entries, { path: `${folder}/checksums.sha256`, at, text: lines.join("") }];
}

type LaidOut = ZipEntry & ManifestEntry;

/** The ZIP file of a manifest. */
export const layoutOf = ({ entries }: Manifest): ZipLayout<LaidOut> =>
  layOut(
    entries.map((entry): LaidOut => {
      if ("file" in entry) return entry;
      const bytes = Buffer.from(entry.text);
      return { ...entry, size: bytes.length, crc32: crc32(bytes) };
    }),
  );
