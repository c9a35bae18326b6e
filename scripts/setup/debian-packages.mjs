import { existsSync, readdirSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./processes.mjs";
import { root } from "./root.mjs";

const ENVIRONMENT = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };

export const isDebian = () => existsSync("/usr/bin/apt-get") && existsSync("/usr/bin/dpkg-deb");

/**
 * Installs Debian packages into the system; needs root. Rejects with apt's output on failure.
 * @param {string[]} names
 */
export async function installDebianPackages(names) {
  await apt(["update", "-qq"]);
  await apt(["install", "-y", "-qq", "--no-install-recommends", ...names]);
}

/**
 * Unpacks Debian packages and their missing dependencies into a folder, without root. Resolves to the folder, which is
 * laid out like `/`. Rejects with apt's output on failure.
 * @param {string[]} names
 * @param {string} folder
 */
export async function unpackDebianPackages(names, folder) {
  const done = join(folder, ".complete");
  if (existsSync(done)) return folder;
  const downloads = `${folder}.debs`;
  await rm(folder, { recursive: true, force: true });
  for (const path of [folder, join(downloads, "lists/partial"), join(downloads, "archives/partial")]) {
    await mkdir(path, { recursive: true });
  }
  // apt needs no root with separate lists and archives; only the system's package status is read.
  const own = [
    `Dir::State=${downloads}`,
    `Dir::State::lists=${downloads}/lists`,
    "Dir::State::status=/var/lib/dpkg/status",
    `Dir::Cache=${downloads}`,
    `Dir::Cache::archives=${downloads}/archives`,
    "Debug::NoLocking=true",
    "APT::Sandbox::User=",
  ].flatMap((option) => ["-o", option]);
  await apt([...own, "update", "-qq"]);
  const plan = await apt([...own, "--simulate", "--no-install-recommends", "install", ...names]);
  const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name ?? "");
  // The named packages are unpacked even if they are installed, because their files expect each other in one folder.
  const packages = [...new Set([...names, ...missing])];
  const archives = join(downloads, "archives");
  await apt([...own, "download", "-qq", ...packages], archives);
  for (const file of (await readdir(archives)).filter((name) => name.endsWith(".deb"))) {
    await must("dpkg-deb", ["--extract", join(archives, file), folder]);
  }
  await rm(downloads, { recursive: true, force: true });
  await writeFile(done, `${packages.join("\n")}\n`);
  return folder;
}

/**
 * The LD_LIBRARY_PATH for programs unpacked into `folder`.
 * @param {string} folder
 */
export function librariesIn(folder) {
  const holdsLibraries = (/** @type {string} */ path) => readdirSync(path).some((name) => /\.so(\.|$)/.test(name));
  return ["lib", "usr/lib"]
    .flatMap((base) => foldersIn(join(folder, base)))
    .filter((path) => path.includes("-linux-gnu"))
    .flatMap((path) => [path, ...foldersIn(path)])
    .filter(holdsLibraries)
    .join(":");
}

/** @param {string} folder */
const foldersIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(folder, entry.name))
    : [];

/**
 * @param {string[]} args
 * @param {string} [cwd]
 */
const apt = (args, cwd) => must("apt-get", args, cwd);

/**
 * @param {string} command
 * @param {string[]} args
 */
async function must(command, args, cwd = root) {
  const { code, output } = await run(command, args, { quiet: true, env: ENVIRONMENT, cwd, minutes: 8 });
  if (code !== 0) throw new Error(`${command} ${args.at(-1)} ended with ${code}:\n${output.trim()}`);
  return output;
}
