import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { installDebianPackages, isDebian, librariesIn, unpackDebianPackages } from "./debian-packages.mjs";
import { root } from "./root.mjs";

const UNPACKED = join(root, ".cache/ffmpeg");
const LAUNCHERS = join(UNPACKED, "launch");
const PROGRAMS = ["ffmpeg", "ffprobe"];

/**
 * The folder of ffmpeg and ffprobe: FFMPEG_PATH, one of the search path, or the cache folder; undefined without them.
 */
export function findFfmpegFolder() {
  const folders = [process.env.FFMPEG_PATH, ...(process.env.PATH ?? "").split(delimiter), LAUNCHERS];
  return folders.find((folder) => folder && PROGRAMS.every((program) => existsSync(join(folder, program))));
}

/**
 * Finds ffmpeg and ffprobe, or installs them: into the system as root, otherwise into the cache folder. Resolves to
 * their folder. Only tests need them.
 */
export async function ensureFfmpeg() {
  const folder = findFfmpegFolder();
  if (folder) return folder;
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
 * A script that finds the unpacked program's libraries in its own folder, then in the system.
 * @param {string} program
 */
const launcher = (program) => `#!/bin/sh
LD_LIBRARY_PATH='${librariesIn(UNPACKED)}'
export LD_LIBRARY_PATH
exec '${join(UNPACKED, "usr/bin", program)}' "$@"
`;
