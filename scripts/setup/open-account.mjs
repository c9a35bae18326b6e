import { open } from "node:fs/promises";
import { PassThrough, Writable } from "node:stream";
import { configure, Reader, TextWriter, ZipReader } from "@zip.js/zip.js";

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
 * Opens the ZIP file of an exported account.
 * @param {string} path
 */
export async function openAccount(path) {
  const file = await open(path).catch(() => {
    throw new Error(`${path} cannot be read.`);
  });
  const { size } = await file.stat();
  const entries = await new ZipReader(new FileReader(file, size)).getEntries().catch(() => []);
  const json = entries.find(({ filename }) => filename.endsWith("/account.json"));
  if (!json || json.directory) throw new Error(`${path} is not the ZIP file of an account.`);
  const folder = json.filename.slice(0, -"account.json".length);
  return {
    text: await json.getData(new TextWriter()),
    /** @param {string} name */
    open(name) {
      const entry = entries.find(({ filename }) => filename === folder + name);
      if (!entry || entry.directory) return undefined;
      const bytes = new PassThrough();
      // A damaged file fails its reader.
      entry.getData(Writable.toWeb(bytes), { checkSignature: true }).catch((error) => bytes.destroy(error));
      return bytes;
    },
    close: () => file.close(),
  };
}
