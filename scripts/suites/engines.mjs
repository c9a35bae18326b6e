import { existsSync, readdirSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installDebianPackages, isDebian, librariesIn, unpackDebianPackages } from "../setup/debian-packages.mjs";
import { root } from "../setup/root.mjs";

// The engines beside Chromium in which tests run: Firefox, and WebKit, which is Safari's.

const UNPACKED = join(root, ".cache/firefox");
const LAUNCHER = join(UNPACKED, "launch");
/** WebKit plays H.264 and AAC with the last one. */
const WEBKIT = ["webkit2gtk-driver", "xvfb", "gstreamer1.0-libav"];

/** The Firefox for tests: FIREFOX_PATH, an installed one, or one in the cache folder; undefined without any. */
export const findFirefox = () =>
  [process.env.FIREFOX_PATH, "/usr/bin/firefox-esr", LAUNCHER].find((path) => path && existsSync(path));

/** Debian's WebKit: its driver, and the small browser that comes with the library; undefined without them. */
export function findWebKit() {
  const driver = "/usr/bin/WebKitWebDriver";
  if (!existsSync(driver) || !existsSync("/usr/bin/Xvfb")) return undefined;
  const inside = (/** @type {string} */ folder) => readdirSync(folder).map((name) => join(folder, name));
  const browser = inside("/usr/lib")
    .filter((folder) => folder.endsWith("-linux-gnu"))
    .flatMap(inside)
    .filter((folder) => /\/webkit2?gtk-[\d.]+$/.test(folder))
    .map((folder) => join(folder, "MiniBrowser"))
    .find((path) => existsSync(path));
  return browser ? { driver, browser } : undefined;
}

/**
 * Installs the missing engines: into the system as root, otherwise Firefox into the cache folder. Resolves to what is
 * still missing, each with the reason: the tests in that engine are skipped.
 * @returns {Promise<string[]>}
 */
export async function ensureEngines() {
  const missing = [...(findFirefox() ? [] : ["firefox-esr"]), ...(findWebKit() ? [] : WEBKIT)];
  if (missing.length > 0 && isDebian()) {
    console.log("Installing Firefox and WebKit…");
    if (process.getuid?.() === 0) await installDebianPackages(missing);
    else if (!findFirefox()) await unpackFirefox();
  }
  const how = isDebian() ? "" : ", and only Debian's packages are installed by themselves";
  return [
    ...(findFirefox() ? [] : [`Firefox is not installed${how}.`]),
    // Its library starts further programs by their absolute paths.
    ...(findWebKit() ? [] : [`WebKit is not installed${how || ", which needs root"}.`]),
  ];
}

async function unpackFirefox() {
  await unpackDebianPackages(["firefox-esr"], UNPACKED);
  const launcher = `#!/bin/sh
LD_LIBRARY_PATH='${librariesIn(UNPACKED)}'
export LD_LIBRARY_PATH
exec '${join(UNPACKED, "usr/lib/firefox-esr/firefox-esr")}' "$@"
`;
  await writeFile(LAUNCHER, launcher);
  await chmod(LAUNCHER, 0o755);
}
