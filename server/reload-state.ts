import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What `scripts/reload.mjs` reads of the process that replaces workers. */
export interface ReloadState {
  /** The process to which SIGHUP is sent. */
  pid: number;
  /** How many times it has ended replacing its workers. */
  reloads: number;
  /** Why the last time failed; null if every worker was replaced. */
  error: string | null;
}

/** Stores the state in `dataDir`, at once or not at all. */
export async function writeReloadState(dataDir: string, state: ReloadState): Promise<void> {
  const path = join(dataDir, "reload.json");
  await writeFile(`${path}.new`, JSON.stringify(state));
  await rename(`${path}.new`, path);
}
