import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root.mjs";

/**
 * Runs `scripts/commands/NAME.mjs`: from source in a checkout, which it prepares, and from the build in an image, which
 * has no source.
 * @param {string} name
 */
export async function runCommandFile(name) {
  if (!existsSync(join(root, "scripts/commands"))) {
    await import(pathToFileURL(join(root, `dist/server/${name}-command.js`)).href);
    return;
  }
  const { ready } = await import("./ready.mjs");
  await ready();
  const { register } = await import("tsx/esm/api");
  register();
  await import(`../commands/${name}.mjs`);
}
