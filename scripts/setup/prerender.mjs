import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { withBundler } from "./bundler.mjs";
import { filesOf } from "./manifest.mjs";
import { esbuildNamespaces } from "./namespaces.mjs";
import { esbuildRoutes, moduleOf, readPages } from "./pages.mjs";
import { run } from "./processes.mjs";
import { root } from "./root.mjs";

/** A placeholder for the names of data processors, which the operator sets later. */
const PROCESSORS = "%PROCESSORS%";

/**
 * The names and paths of prerendered pages: the public ones, and the share gate, which is the same for every link with
 * a PIN.
 */
async function prerenderedPages() {
  const paths = (await readPages()).filter(({ kind, path }) => kind === "public" && !path.includes(":"));
  return {
    ...Object.fromEntries(paths.map(({ path }) => [path, path === "*" ? "/not-found" : path])),
    "/privacy (no processors)": "/privacy",
    // As long as an id, because the page of any other text says that the link is incomplete.
    "/shared": "/shared/AnyLinkOfAnyMemoryHere",
  };
}

/**
 * Renders the public pages and the share gate in both languages into `prerendered.json` in `folder`. The renderer and
 * the reader of first screens stay there for the server.
 * @param {string} folder
 */
export async function prerenderPages(folder) {
  const renderer = join(folder, "render-pages.cjs");
  await bundle({ "render-pages": "web/prerender.tsx", ...FIRST_SCREEN }, folder);
  const { code, output } = await run(
    process.execPath,
    [import.meta.filename, renderer, join(folder, "prerendered.json")],
    { quiet: true },
  );
  if (code !== 0) throw new Error(`The pages could not be rendered:\n${output}`);
}

const FIRST_SCREEN = { "first-screen": "web/first-screen.ts" };

/**
 * Builds the reader of first screens alone, as `first-screen.cjs` in `folder`.
 * @param {string} folder
 */
export const buildFirstScreen = (folder) => bundle(FIRST_SCREEN, folder);

/**
 * Adds the scripts of each page to `prerendered.json`, so that browsers can load them at once instead of one after
 * another.
 * @param {string} folder
 */
export async function noteScripts(folder) {
  const file = join(folder, "prerendered.json");
  const manifest = JSON.parse(await readFile(join(folder, "web/.vite/manifest.json"), "utf8"));
  const first = filesOf("index.html", manifest);
  const data = "queries";
  const scripts = Object.fromEntries(
    (await readPages()).map((page) => {
      const files = filesOf(moduleOf(page), manifest);
      if (!page.plain) filesOf(data, manifest, files);
      return [page.path.replace("/:memoryId?", ""), [...files].filter((name) => !first.has(name))];
    }),
  );
  // The scripts of an opened share load while the PIN is typed.
  const behindGate = filesOf("web/pages/memory/SharedContent.tsx", manifest);
  // Including the header, which would otherwise add three requests before those for rows.
  for (const module of ["web/layout/Header.tsx", data]) filesOf(module, manifest, behindGate);
  const loadedAlready = new Set([...first, ...(scripts["/shared/:shareId"] ?? [])]);
  const later = [...behindGate].filter((name) => !loadedAlready.has(name));
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), scripts, later }));
}

/**
 * @param {Record<string, string>} entryPoints
 * @param {string} folder
 */
async function bundle(entryPoints, folder) {
  await withBundler(({ build }) =>
    build({
      absWorkingDir: root,
      entryPoints,
      outdir: folder,
      outExtension: { ".js": ".cjs" },
      bundle: true,
      platform: "node",
      target: "node20.19",
      // The server loads it as a CommonJS script.
      format: "cjs",
      minify: true,
      define: { "process.env.NODE_ENV": '"production"' },
      alias: { "react-i18next": join(root, "web/i18n/translate.ts") },
      plugins: [esbuildRoutes, esbuildNamespaces],
      loader: { ".css": "empty" },
      jsx: "automatic",
      logLevel: "error",
    }),
  );
}

/**
 * @param {string} renderer
 * @param {string} file
 */
async function renderAll(renderer, file) {
  // Pages create the data client at start, which looks for browser APIs.
  Object.assign(globalThis, { WebSocket: globalThis.WebSocket ?? class {} });
  const { renderPage } = createRequire(import.meta.url)(renderer);
  /** @type {Record<string, Record<string, string>>} */
  const pages = { en: {}, it: {} };
  for (const [language, rendered] of Object.entries(pages)) {
    for (const [name, path] of Object.entries(await prerenderedPages())) {
      const { html } = await renderPage(path, language, {
        supabaseUrl: "http://localhost",
        supabaseAnonKey: "not asked for",
        stripePublishableKey: "-",
        turnstileSiteKey: "-",
        infoEmail: "-",
        processors: name.includes("no processors") ? [] : [PROCESSORS],
      });
      if (!html) throw new Error(`The page ${path} was rendered as nothing.`);
      rendered[name] = html;
    }
  }
  await writeFile(file, JSON.stringify({ html: pages }));
}

const [, script, renderer, file] = process.argv;
if (script === import.meta.filename && renderer && file) {
  await renderAll(renderer, file);
  // The data clients would keep renewing sessions.
  process.exit();
}
