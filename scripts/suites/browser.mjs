import { existsSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installDebianPackages, isDebian, librariesIn, unpackDebianPackages } from "../setup/debian-packages.mjs";
import { root } from "../setup/root.mjs";

/** The headless shell needs a tenth less work for the same tests. */
const SHELL = "/usr/bin/chromium-headless-shell";
const SYSTEM = "/usr/bin/chromium";
const UNPACKED = join(root, ".cache/chromium");
const LAUNCHER = join(UNPACKED, "launch");
const PACKAGES = ["chromium-headless-shell", "fonts-liberation"];

/** The Chromium for tests: CHROMIUM_PATH, an installed one, or one in the cache folder; undefined without any. */
export function findChromium() {
  return [process.env.CHROMIUM_PATH, SHELL, SYSTEM, LAUNCHER].find((path) => path && existsSync(path));
}

/** Finds Chromium, or installs it: into the system as root, otherwise into the cache folder. Resolves to its path. */
export async function ensureChromium() {
  const existing = findChromium();
  if (existing) return existing;
  if (!isDebian()) throw new Error("Set CHROMIUM_PATH to a Chromium: without Debian's packages none can be installed.");
  console.log("Installing Chromium…");
  if (process.getuid?.() === 0) {
    await installDebianPackages(PACKAGES);
    return SHELL;
  }
  await unpackDebianPackages(PACKAGES, UNPACKED);
  await writeFonts();
  await writeFile(LAUNCHER, launcher());
  await chmod(LAUNCHER, 0o755);
  return LAUNCHER;
}

/** A script that finds the unpacked Chromium's libraries and fonts in its own folder, then in the system. */
const launcher = () => `#!/bin/sh
LD_LIBRARY_PATH=${quote(librariesIn(UNPACKED))}
FONTCONFIG_FILE=${quote(join(UNPACKED, "fonts.conf"))}
export LD_LIBRARY_PATH FONTCONFIG_FILE
exec ${quote(join(UNPACKED, "usr/lib/chromium/chromium-headless-shell"))} "$@"
`;

const writeFonts = () =>
  writeFile(
    join(UNPACKED, "fonts.conf"),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${UNPACKED}/usr/share/fonts</dir>
  <alias><family>sans-serif</family><prefer><family>Liberation Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>Liberation Serif</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>Liberation Mono</family></prefer></alias>
  <cachedir>${UNPACKED}/fontconfig</cachedir>
</fontconfig>
`,
  );

/** @param {string} path */
const quote = (path) => `'${path.replaceAll("'", "'\\''")}'`;
