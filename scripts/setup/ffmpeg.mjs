import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { installDebianPackages, isDebian, librariesIn, unpackDebianPackages } from "./debian-packages.mjs";
import { root } from "./root.mjs";

const UNPACKED = join(root, ".cache/ffmpeg");
const LAUNCHERS = join(UNPACKED, "launch");
const PROGRAMS = ["ffmpeg", "ffprobe"];

/** The folder of both programs: FFMPEG_PATH, one of the search path, or the one unpacked here before; undefined when there is none. */
export function findFfmpegFolder() {
  const folders = [process.env.FFMPEG_PATH, ...(process.env.PATH ?? "").split(delimiter), LAUNCHERS];
  return folders.find((folder) => folder && PROGRAMS.every((program) => existsSync(join(folder, program))));
}

/**
 * Finds ffmpeg and ffprobe, or installs them: into the system as root, else into the cache folder. Resolves to the folder
 * they are in. Tests encode their videos with them; the product runs without.
 */
export async function ensureFfmpeg() {
  const found = findFfmpegFolder();
  if (found) return found;
  if (!isDebian())
    throw new Error("Set FFMPEG_PATH to the folder of ffmpeg: without Debian's packages none can be installed.");
  console.log("Installing ffmpeg…");
  if (process.getuid?.() === 0) {
    await installDebianPackages(["ffmpeg"]);
    return "/usr/bin";
  }
  await unpackDebianPackages(["ffmpeg"], UNPACKED);
  await mkdir(LAUNCHERS, { recursive: true });
  for (const program of PROGRAMS) {
    await writeFile(join(LAUNCHERS, program), launcher(program));
    await chmod(join(LAUNCHERS, program), 0o755);
  }
  return LAUNCHERS;
}

/**
 * An unpacked program looks for its libraries where it was unpacked, then where the system has them.
 * @param {string} program
 */
const launcher = (program) => `#!/bin/sh
LD_LIBRARY_PATH='${librariesIn(UNPACKED)}'
export LD_LIBRARY_PATH
exec '${join(UNPACKED, "usr/bin", program)}' "$@"
`;
