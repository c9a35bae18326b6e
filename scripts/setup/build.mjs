import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { withBundler } from "./bundler.mjs";
import { noteScripts, prerenderPages } from "./prerender.mjs";
import { run } from "./processes.mjs";
import { root } from "./root.mjs";
import { buildServiceWorker } from "./service-worker.mjs";

const STAMP = "dist/inputs.sha256";
/** The sizes and times of all input files when packages and build were last found complete. */
const SEEN = "dist/inputs.seen";
const BUILT = [STAMP, "dist/web/index.html", "dist/server/main.js", "dist/server/server.cjs"];
const FOLDERS = ["web", "server", "shared", "sandboxes", "scripts/commands", "scripts/setup"];
const FILES = [
  "package.json",
  "package-lock.json",
  "index.html",
  "vite.config.ts",
  "tsconfig.json",
  "tsconfig.base.json",
  "tsconfig.web.json",
];

/**
 * Whether no file has changed since {@link ensureBuild} last found everything complete. It reads no file, so a second
 * start is quick.
 */
export const isUntouched = () =>
  BUILT.every((file) => existsSync(join(root, file))) && contentOf(join(root, SEEN)) === filesState();

/** Builds `dist/web` and `dist/server`, unless they are up to date. Rejects if the build fails. */
export async function ensureBuild() {
  const seen = filesState();
  await buildIfChanged();
  // An installed product may be read-only.
  await writeFile(join(root, SEEN), seen).catch(() => {});
}

async function buildIfChanged() {
  const inputs = fingerprint();
  if (BUILT.every((file) => existsSync(join(root, file))) && contentOf(join(root, STAMP)) === inputs) return;
  console.log("Building…");
  // Built in another folder and renamed, so that an interrupted build leaves the old one intact.
  const fresh = join(root, `.cache/build-${process.pid}`);
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  try {
    await Promise.all([
      buildWeb(join(fresh, "web")),
      buildServer(join(fresh, "server")).then(() => prerenderPages(fresh)),
    ]);
    await noteScripts(fresh);
    await buildServiceWorker(fresh);
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
  const drawn = await run(process.execPath, ["--import", "tsx", join(root, "scripts/setup/page-pictures.ts"), folder], {
    quiet: true,
  });
  if (drawn.code !== 0) throw new Error(`The pictures of pages could not be drawn:\n${drawn.output}`);
}

/** The commands of an installation, which `command.mjs` runs. */
const COMMANDS = ["admin", "backup", "migrate"];

/**
 * Builds the server as one file, and each worker thread, command and large late import as another. Late imports stay late, and
 * external packages load with them. `main.js` starts the server. Resolves to what each built file imports.
 * @param {string} folder
 */
export async function buildServer(folder) {
  const workers = filesIn(join(root, "server")).filter((file) => file.endsWith("-worker.ts"));
  const entries = [
    ...workers.map((file) => ({ in: file, out: basename(file, ".ts") })),
    ...COMMANDS.map((name) => ({ in: join(root, `scripts/commands/${name}.mjs`), out: `${name}-command` })),
    ...Object.entries(LATE).map(([out, module]) => ({ in: module, out })),
  ];
  const [script, others] = await withBundler(({ build }) =>
    Promise.all([
      // Only a CommonJS script can be loaded with V8's code cache.
      build({
        ...BUILDING,
        entryPoints: [join(root, "server/main.ts")],
        outfile: join(folder, "server.cjs"),
        format: "cjs",
        plugins: [lateFiles, packages],
        banner: { js: IMPORT_META },
        define: { "import.meta.url": "__url" },
      }),
      build({
        ...BUILDING,
        entryPoints: entries,
        outdir: folder,
        format: "esm",
        splitting: true,
        plugins: [packages],
        banner: { js: COMMON_JS },
      }),
      mkdir(folder, { recursive: true }).then(() =>
        copyFile(join(root, "scripts/setup/load-server.mjs"), join(folder, "main.js")),
      ),
    ]),
  );
  await finishScript(join(folder, "server.cjs"), script.metafile);
  return [script.metafile, others.metafile];
}

/**
 * Prepares a script for `load-server.mjs`, which provides its dynamic imports.
 * @param {string} file
 * @param {import("esbuild").Metafile} metafile
 */
async function finishScript(file, { outputs }) {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const late = new Set(imports.flatMap((one) => (one.kind === "dynamic-import" && one.external ? one.path : [])));
  const script = [...late].reduce(
    (text, path) => text.replaceAll(`import(${JSON.stringify(path)})`, `__import(${JSON.stringify(path)})`),
    readFileSync(file, "utf8"),
  );
  // The build does not escape regular expressions. A pure ASCII file is read faster.
  await writeFile(
    file,
    script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/**
 * Bundles a server module and its imports as a module; packages stay external.
 * @param {string} folder
 * @param {string} entry
 */
export async function buildModule(folder, entry) {
  await withBundler(({ build }) =>
    build({
      ...BUILDING,
      entryPoints: [join(root, entry)],
      outdir: folder,
      format: "esm",
      splitting: true,
      packages: "external",
    }),
  );
}

/** @satisfies {import("esbuild").BuildOptions} */
const BUILDING = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20.19",
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: "warning",
};

/**
 * Modules that the server's script imports late, by the name of the file that each becomes. Inside the script, every start
 * would read them.
 */
const LATE = { emails: join(root, "server/emails/render.tsx"), stripe: "stripe", "web-push": "web-push" };

/** Replaces `import.meta` in a script. */
const IMPORT_META = 'const __url = require("node:url").pathToFileURL(__filename).href;';

/** Defines what CommonJS packages expect, in a module. */
const COMMON_JS = [
  'import { createRequire as __createRequire } from "node:module";',
  "const require = __createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;",
].join("\n");

/** An empty source map for packages: stack traces keep our own lines, and the build's map stays small. */
const NO_MAP = `\n//# sourceMappingURL=data:application/json;base64,${btoa('{"version":3,"sources":["package"],"mappings":"AAAA"}')}`;

/** The packages that the running server loads from node_modules. The build bundles all others. */
const OUTSIDE = [
  ...Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).dependencies),
  // A production server loads none of these: the sandboxes do, and the last one a server from source.
  "oidc-provider",
  "mailparser",
  "smtp-server",
  "tsx",
];

/**
 * The name of the package of an import, e.g. `@noble/hashes` of `@noble/hashes/sha3.js`.
 * @param {string} path
 */
export const packageOf = (path) => path.split("/", path.startsWith("@") ? 2 : 1).join("/");

/** @type {import("esbuild").Plugin} */
const packages = {
  name: "packages",
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind !== "entry-point" && OUTSIDE.includes(packageOf(path)) ? { path, external: true } : undefined,
    );
    build.onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8") + NO_MAP,
      loader: "default",
    }));
  },
};

/** @type {import("esbuild").Plugin} */
const lateFiles = {
  name: "late files",
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const module = path.startsWith(".") ? join(resolveDir, path) : path;
      const name = Object.entries(LATE).find(([, late]) => late === module)?.[0];
      return name ? { path: `./${name}.js`, external: true } : undefined;
    });
  },
};

/** A hash of the content of every input file. */
function fingerprint() {
  const hash = createHash("sha256").update(process.versions.node.split(".")[0] ?? "");
  for (const file of inputFiles()) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** A hash of the sizes and times of every input file, and of npm's installation record. */
function filesState() {
  const hash = createHash("sha256").update(process.version);
  for (const file of [...inputFiles(), INSTALLED]) {
    const state = statSync(file, { throwIfNoEntry: false });
    hash.update(`${file}\0${state?.size}\0${state?.mtimeMs}\0${state?.ctimeMs}\0`);
  }
  return hash.digest("hex");
}

const INSTALLED = join(root, "node_modules/.package-lock.json");

/** Every input file of the build, in a fixed order. */
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
