import { ensureBuild, isUntouched } from "./build.mjs";
import { requireNode } from "./node-version.mjs";
import { ensurePackages } from "./packages.mjs";
import { root } from "./root.mjs";

/**
 * Prepares a fresh clone: installs packages and, with `built`, builds the product. Rejects with a message for the user.
 */
export async function prepare({ built = false } = {}) {
  requireNode();
  process.chdir(root);
  if (built && isUntouched()) return;
  await ensurePackages();
  if (built) await ensureBuild();
}

/**
 * Prepares a fresh clone, or ends the process with the reason.
 * @param {{ built?: boolean }} [options]
 */
export const ready = (options) =>
  prepare(options).catch((/** @type {Error} */ error) => {
    console.error(error.message);
    process.exit(1);
  });
