import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { run } from "./processes.mjs";
import { root } from "./root.mjs";

const STAMP = "dist/inputs.sha256";
const BUILT = [STAMP, "dist/web/index.html", "dist/server/main.js"];
const FOLDERS = ["web", "server", "shared", "sandboxes", "scripts/setup"];
const FILES = [
  ...["package-lock.json", "index.html", "vite.config.ts"],
  ...["tsconfig.json", "tsconfig.base.json", "tsconfig.web.json"],
];

/** Builds `dist/web` and `dist/server`, unless they were built from what is there now. Rejects when the build fails. */
export async function ensureBuild() {
  const inputs = fingerprint();
  if (BUILT.every((file) => existsSync(join(root, file))) && readFileSync(join(root, STAMP), "utf8") === inputs) return;
  console.log("Building…");
  // Built beside, then renamed into place: an interrupted build leaves the old one whole.
  const fresh = join(root, `.cache/build-${process.pid}`);
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  try {
    await Promise.all([buildWeb(join(fresh, "web")), buildServer(join(fresh, "server"))]);
    await writeFile(join(fresh, "inputs.sha256"), inputs);
    await rm(join(root, "dist"), { recursive: true, force: true });
    await rename(fresh, join(root, "dist"));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function buildWeb(folder) {
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const { code, output } = await run(
    process.execPath,
    [vite, "build", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"],
    { quiet: true, env: { ...process.env, NODE_ENV: "production" } },
  );
  if (code !== 0) throw new Error(`The web app could not be built:\n${output}`);
}

/**
 * The server as one file, each worker thread's as one beside it, and what is imported late as pieces of its own, so that
 * the packages they import are late too. Packages stay where npm put them.
 * @param {string} folder
 * @param {string} [entry] what is loaded first
 */
export async function buildServer(folder, entry = "server/main.ts") {
  const { build, stop } = await import("esbuild");
  const workers = filesIn(join(root, "server")).filter((file) => file.endsWith("-worker.ts"));
  await build({
    absWorkingDir: root,
    entryPoints: [join(root, entry), ...workers].map((file) => ({
      in: file,
      out: (file.split("/").at(-1) ?? "").replace(/\.ts$/, ""),
    })),
    outdir: folder,
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: true,
    logLevel: "warning",
  });
  // Its helper process would otherwise stay for as long as the server runs.
  await stop();
}

/** A hash of every file the build reads. */
function fingerprint() {
  const hash = createHash("sha256").update(process.versions.node.split(".")[0] ?? "");
  const sources = FOLDERS.flatMap((folder) => filesIn(join(root, folder)));
  for (const file of [...sources, ...FILES.map((name) => join(root, name))]) {
    if (!existsSync(file) || /\.test\.tsx?$/.test(file)) continue;
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/**
 * @param {string} folder
 * @returns {string[]} absolute paths, in a fixed order
 */
function filesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}
