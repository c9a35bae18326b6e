import { ensureBuild, isUntouched } from "./build.mjs";
import { requireNode } from "./node-version.mjs";
import { ensurePackages } from "./packages.mjs";
import { root } from "./root.mjs";

/**
 * Makes a fresh clone ready to run: packages installed and, where asked for, the product built. Rejects, with a
 * sentence for a person, when it can not.
 */
export async function prepare({ built = false } = {}) {
  requireNode();
  process.chdir(root);
  if (built && isUntouched()) return;
  await ensurePackages();
  if (built) await ensureBuild();
}

/**
 * Makes a fresh clone ready, or ends the process saying why it can not be.
 * @param {{ built?: boolean }} [options]
 */
export const ready = (options) =>
  prepare(options).catch((/** @type {Error} */ error) => {
    console.error(error.message);
    process.exit(1);
  });
