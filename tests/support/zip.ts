import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from "@zip.js/zip.js";

configure({ useWebWorkers: false });

/** A file as somebody else's reader found it in a ZIP file, its checksum confirmed. */
export interface UnzippedFile {
  path: string;
  bytes: Buffer;
  /** The clock it is dated by, as `2019-05-04T12:33:11`. */
  at: string;
}

/** Reads a ZIP file with a reader that is not ours; rejects where anything in it is wrong. */
export async function unzip(bytes: Uint8Array): Promise<UnzippedFile[]> {
  const reader = new ZipReader(new Uint8ArrayReader(new Uint8Array(bytes)));
  const files: UnzippedFile[] = [];
  for (const entry of await reader.getEntries()) {
    if (entry.directory) continue;
    const content = await entry.getData(new Uint8ArrayWriter(), { checkSignature: true });
    files.push({ path: entry.filename, bytes: Buffer.from(content), at: clock(entry.lastModDate) });
  }
  return files;
}

/** The reader takes a clock without a time zone for one of here. */
const clock = (date: Date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
