import { open } from "node:fs/promises";
import { Readable, Transform, Writable } from "node:stream";
import { configure, Reader, ZipReader } from "@zip.js/zip.js";
import { ImportError, isInflated, MOST_ENTRIES, readBoundedText } from "../../server/downloads/import-bounds.ts";

configure({ useWebWorkers: false });

/**
 * Reads a ZIP file in pieces, because it may exceed the memory.
 * @extends {Reader<import("node:fs/promises").FileHandle>}
 */
class FileReader extends Reader {
  /** @param {import("node:fs/promises").FileHandle} file @param {number} size */
  constructor(file, size) {
    super(file);
    this.file = file;
    this.size = size;
  }
  /** @override @param {number} offset @param {number} length */
  async readUint8Array(offset, length) {
    const bytes = new Uint8Array(Math.min(length, this.size - offset));
    for (let read = 0; read < bytes.length; ) {
      const { bytesRead } = await this.file.read(bytes, read, bytes.length - read, offset + read);
      if (bytesRead === 0) throw new Error("The ZIP file became shorter while it was read.");
      read += bytesRead;
    }
    return bytes;
  }
}

/**
 * The content of a file in the ZIP file. A damaged file, and one with more bytes than it declares, fails its reader.
 * @param {import("@zip.js/zip.js").FileEntry} entry
 */
function contentOf(entry) {
  let bytes = 0;
  const content = new Transform({
    transform(chunk, _encoding, done) {
      bytes += chunk.length;
      if (bytes > entry.uncompressedSize)
        done(new ImportError(`${JSON.stringify(entry.filename)} is larger than it declares.`));
      else done(null, chunk);
    },
  });
  entry.getData(Writable.toWeb(content), { checkSignature: true }).catch((error) => content.destroy(error));
  return content;
}

/**
 * Opens the ZIP file of an exported account. It is untrusted: the number of its files, their sizes and `account.json`
 * are bounded before anything is read from them.
 * @param {string} path
 */
export async function openAccount(path) {
  const file = await open(path).catch(() => {
    throw new Error(`${path} cannot be read.`);
  });
  try {
    const { size } = await file.stat();
    const entries = await entriesOf(new FileReader(file, size)).catch((error) => {
      if (error instanceof ImportError) throw error;
      return new Map();
    });
    const json = [...entries.values()].find(({ filename }) => filename.endsWith("/account.json"));
    if (!json) throw new Error(`${path} is not the ZIP file of an account.`);
    const total = [...entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (isInflated(size, total))
      throw new ImportError(`The files in ${path} are too large for a ZIP file of its size.`);
    const folder = json.filename.slice(0, -"account.json".length);
    return {
      text: await readBoundedText(contentOf(json)),
      /** @param {string} name @returns {Readable | undefined} */
      open(name) {
        const entry = entries.get(folder + name);
        return entry && contentOf(entry);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * @param {FileReader} reader
 * @returns {Promise<Map<string, import("@zip.js/zip.js").FileEntry>>}
 */
async function entriesOf(reader) {
  const entries = new Map();
  for await (const entry of new ZipReader(reader).getEntriesGenerator()) {
    if (entry.directory) continue;
    // The bytes of one entry could otherwise be read many times.
    if (entries.has(entry.filename))
      throw new ImportError(`The ZIP file contains ${JSON.stringify(entry.filename)} twice.`);
    if (entries.size === MOST_ENTRIES) throw new ImportError("The ZIP file contains too many files.");
    entries.set(entry.filename, entry);
  }
  return entries;
}
