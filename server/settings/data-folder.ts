import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Codes for a disk without space, which has a message of its own. */
const FULL = ["ENOSPC", "EDQUOT"];

/**
 * Makes the data folder with its parents. Rejects with a message for the administrator if that is not possible. Node's own way
 * (`recursive`) never ends where the system makes no folders, as below `/proc`.
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    for (const folder of await missingFolders(resolve(dataDir))) {
      await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
        // Another process may make it at the same time.
        if (error.code !== "EEXIST") throw error;
      });
    }
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (FULL.includes(code)) throw error;
    throw new Error(`The data folder ${dataDir} cannot be written: ${message}. Set DATA_DIR to a folder that can.`);
  }
}

/** The parts of a path that do not exist, from the outermost one. */
async function missingFolders(path: string): Promise<string[]> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (!stats) return [...(await missingFolders(dirname(path))), path];
  if (!stats.isDirectory()) throw new Error(`${path} is a file`);
  return [];
}
