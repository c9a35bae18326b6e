import { ensureBuild } from "./build.mjs";
import { requireNode } from "./node-version.mjs";
import { ensurePackages } from "./packages.mjs";
import { root } from "./root.mjs";

/** Makes a fresh clone ready to run: packages installed and, where asked for, the product built. Ends the process when it can not. */
export async function ready({ built = false } = {}) {
  requireNode();
  process.chdir(root);
  try {
    await ensurePackages();
    if (built) await ensureBuild();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
