import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { noteScripts, prerenderPages } from "./prerender.mjs";
import { run } from "./processes.mjs";
import { root } from "./root.mjs";

const STAMP = "dist/inputs.sha256";
/** The state of every file, content unread, when packages and build were last found complete. */
const SEEN = "dist/inputs.seen";
const BUILT = [STAMP, "dist/web/index.html", "dist/server/main.js", "dist/server/server.cjs"];
const FOLDERS = ["web", "server", "shared", "sandboxes", "scripts/setup"];
const FILES = [
  ...["package-lock.json", "index.html", "vite.config.ts"],
  ...["tsconfig.json", "tsconfig.base.json", "tsconfig.web.json"],
];

/**
 * Whether nothing has been touched since {@link ensureBuild} last found packages and build complete: known without
 * reading a file, which makes a second start quick.
 */
export const isUntouched = () =>
  BUILT.every((file) => existsSync(join(root, file))) && contentOf(join(root, SEEN)) === filesState();

/** Builds `dist/web` and `dist/server`, unless they were built from what is there now. Rejects when the build fails. */
export async function ensureBuild() {
  const seen = filesState();
  await buildIfChanged();
  // A product that somebody else installed may be read-only.
  await writeFile(join(root, SEEN), seen).catch(() => {});
}

async function buildIfChanged() {
  const inputs = fingerprint();
  if (BUILT.every((file) => existsSync(join(root, file))) && contentOf(join(root, STAMP)) === inputs) return;
  console.log("Building…");
  // Built beside, then renamed into place: an interrupted build leaves the old one whole.
  const fresh = join(root, `.cache/build-${process.pid}`);
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  try {
    await Promise.all([
      buildWeb(join(fresh, "web")),
      // One after the other: the bundler of both ends when one of them has finished with it.
      buildServer(join(fresh, "server")).then(() => prerenderPages(fresh)),
    ]);
    await noteScripts(fresh);
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
 * The server as one file, and each worker thread's as one beside it. What is imported late is evaluated late, and the
 * packages outside are loaded then. `main.js` starts it.
 * @param {string} folder
 */
export async function buildServer(folder) {
  const { build, stop } = await import("esbuild");
  const workers = filesIn(join(root, "server")).filter((file) => file.endsWith("-worker.ts"));
  const [{ metafile }] = await Promise.all([
    // CommonJS, because only such a script can be loaded with code that was compiled before.
    build({
      ...BUILDING,
      entryPoints: [join(root, "server/main.ts")],
      outfile: join(folder, "server.cjs"),
      format: "cjs",
      plugins: [bundlePackages(STARTING)],
      banner: { js: IMPORT_META },
      define: { "import.meta.url": "__url", "import.meta.resolve": "__resolve" },
      metafile: true,
    }),
    build({
      ...BUILDING,
      entryPoints: workers.map((file) => ({ in: file, out: basename(file, ".ts") })),
      outdir: folder,
      format: "esm",
      splitting: true,
      plugins: [bundlePackages(STARTING)],
      banner: { js: COMMON_JS },
    }),
    mkdir(folder, { recursive: true }).then(() =>
      copyFile(join(root, "scripts/setup/load-server.mjs"), join(folder, "main.js")),
    ),
  ]);
  // Its helper process would otherwise stay for as long as the server runs.
  await stop();
  await finishScript(join(folder, "server.cjs"), metafile);
}

/**
 * Such a script cannot import modules by itself: `load-server.mjs` does it for the script.
 * @param {string} file
 * @param {import("esbuild").Metafile} metafile
 */
async function finishScript(file, { outputs }) {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const late = imports.filter(({ kind, external }) => kind === "dynamic-import" && external);
  const script = late.reduce(
    (text, { path }) => text.replaceAll(`import(${JSON.stringify(path)})`, `__import(${JSON.stringify(path)})`),
    readFileSync(file, "utf8"),
  );
  // Regular expressions are not escaped by the build. As nothing but ASCII the file is read faster.
  await writeFile(
    file,
    script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/**
 * One of the server's modules and what it imports, as a plain module that leaves every package where npm put it.
 * @param {string} folder
 * @param {string} entry
 */
export async function buildModule(folder, entry) {
  const { build, stop } = await import("esbuild");
  await build({
    ...BUILDING,
    entryPoints: [join(root, entry)],
    outdir: folder,
    format: "esm",
    splitting: true,
    packages: "external",
  });
  await stop();
}

/** @satisfies {import("esbuild").BuildOptions} */
const BUILDING = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20.19",
  sourcemap: true,
  sourcesContent: false,
  logLevel: "warning",
};

/** What every start imports. Node finds and reads hundreds of small files more slowly than a few large ones. */
const STARTING = [
  ...["fastify", "@fastify/compress", "@fastify/cors", "@fastify/helmet", "@fastify/rate-limit", "@fastify/static"],
  ...["@fastify/busboy", "@fastify/websocket", "@tus/file-store", "@tus/server", "ws"],
  ...["exifr", "file-type", "jose", "nodemailer", "otpauth", "pg", "qrcode", "sanitize-html", "zod"],
  ...["@noble/curves", "@noble/hashes", "@scure/base", "@zxcvbn-ts/language-common"],
];

/** What our modules expect of `import.meta`, in a script. */
const IMPORT_META = [
  'const __url = require("node:url").pathToFileURL(__filename).href;',
  'const __resolve = (name) => require("node:url").pathToFileURL(require.resolve(name)).href;',
].join(" ");

/** What packages written for CommonJS expect around them, in a module. */
const COMMON_JS = [
  'import { createRequire as __createRequire } from "node:module";',
  "const require = __createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;",
].join("\n");

/** A source map that maps next to nothing: stack traces name our own lines, and the built map stays small. */
const NO_MAP = `\n//# sourceMappingURL=data:application/json;base64,${btoa('{"version":3,"sources":["package"],"mappings":"AAAA"}')}`;

/**
 * Bundles some packages, and what those import. The others stay outside: they are loaded late, or bring files that are no
 * JavaScript.
 * @param {readonly string[]} bundled
 * @returns {import("esbuild").Plugin}
 */
const bundlePackages = (bundled) => ({
  name: "packages",
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === "entry-point" || path.startsWith("node:")) return undefined;
      const name = path.split("/", path.startsWith("@") ? 2 : 1).join("/");
      return importer.includes("/node_modules/") || bundled.includes(name) ? undefined : { path, external: true };
    });
    build.onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8") + NO_MAP,
      loader: "default",
    }));
  },
});

/** A hash of every file the build reads. */
function fingerprint() {
  const hash = createHash("sha256").update(process.versions.node.split(".")[0] ?? "");
  for (const file of inputFiles()) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** A hash of the sizes and times of every file the build reads, and of npm's note of what it installed. */
function filesState() {
  const hash = createHash("sha256").update(process.version);
  for (const file of [...inputFiles(), INSTALLED]) {
    const state = statSync(file, { throwIfNoEntry: false });
    hash.update(`${file}\0${state?.size}\0${state?.mtimeMs}\0${state?.ctimeMs}\0`);
  }
  return hash.digest("hex");
}

const INSTALLED = join(root, "node_modules/.package-lock.json");

/** Every file the build reads, in a fixed order. */
const inputFiles = () =>
  [...FOLDERS.flatMap((folder) => filesIn(join(root, folder))), ...FILES.map((name) => join(root, name))].filter(
    (file) => !/\.test\.tsx?$/.test(file) && existsSync(file),
  );

/** @param {string} file */
const contentOf = (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

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
