import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from "@zip.js/zip.js";

configure({ useWebWorkers: false });

/** A file in a ZIP file, found by an independent reader that verified its checksum. */
export interface UnzippedFile {
  path: string;
  bytes: Buffer;
  /** Its local time, e.g. `2019-05-04T12:33:11`. */
  at: string;
}

/** Reads a ZIP file with an independent library; rejects if anything is wrong. */
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

/** The reader interprets a time without time zone as local. */
const clock = (date: Date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
