import { access, mkdir, open, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type BytesKey, MissingBytesError, type ObjectStore, readLocal } from "./object-store.ts";

/** Bytes in a local folder, as `{folder}/{bucket}/{version}`; parts must lie on the same file system. */
export function folderStore(folder: string): ObjectStore {
  const pathOf = (key: BytesKey) => join(folder, key.bucket, key.version);
  return {
    async put(key, part) {
      const path = pathOf(key);
      await rename(part, path).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
        // The first of its bucket. A folder's name is durable only once the folder above it is.
        await mkdir(dirname(path), { recursive: true });
        await rename(part, path);
        await syncPath(folder);
      });
      await syncPath(dirname(path));
    },
    async read(key, range) {
      // Opened before the answer begins, so that missing bytes are still an error and not a broken stream.
      const file = await open(pathOf(key)).catch(missing(key));
      return file.createReadStream({ ...range, highWaterMark: 256 * 1024 });
    },
    async source(key) {
      await access(pathOf(key)).catch(missing(key));
      return pathOf(key);
    },
    send: (key, size, range) => readLocal(pathOf(key), size, range).catch(missing(key)),
    async local(key) {
      const path = pathOf(key);
      await stat(path).catch((cause: NodeJS.ErrnoException) => {
        throw cause.code === "ENOENT" ? new MissingBytesError(key, { cause }) : cause;
      });
      return { path: resolve(path), release: async () => {} };
    },
    has: (key) =>
      stat(pathOf(key)).then(
        () => true,
        () => false,
      ),
    remove: (key) => rm(pathOf(key), { force: true }),
    async *keys(before) {
      await mkdir(folder, { recursive: true });
      for (const bucket of await readdir(folder)) {
        for await (const file of await opendir(join(folder, bucket))) {
          const key = { bucket, version: file.name };
          // A rename sets ctime: that is when the bytes came, however old the file they were written to.
          const facts = await stat(pathOf(key)).catch(() => undefined);
          if (facts && facts.ctime < before) yield key;
        }
      }
    },
  };
}

const missing = (key: BytesKey) => (cause: NodeJS.ErrnoException) => {
  throw cause.code === "ENOENT" ? new MissingBytesError(key, { cause }) : cause;
};

/** Makes a file's bytes, or a folder's names, survive a loss of power. */
async function syncPath(path: string) {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    // Windows opens no folders, and keeps their names without being asked.
    if (error.code === "EISDIR" || error.code === "EPERM") return undefined;
    throw error;
  });
  if (!file) return;
  try {
    await file.sync();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  } finally {
    await file.close();
  }
}
