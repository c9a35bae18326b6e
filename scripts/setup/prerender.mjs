import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { filesOf } from "./manifest.mjs";
import { run } from "./processes.mjs";
import { root } from "./root.mjs";

/** Stands for the companies that process data, which the operator names; pages are rendered before anybody does. */
const PROCESSORS = "%PROCESSORS%";

/** Under which names pages are kept, and where each is found. The share gate is the same for every link that has a PIN. */
const PAGES = {
  ...Object.fromEntries(
    [
      "/",
      "/home",
      "/about",
      "/get-started",
      "/pricing",
      "/shop",
      "/affiliates",
      "/terms",
      "/contact-us",
      "/help",
      "/blog",
    ].map((path) => [path, path]),
  ),
  "/privacy": "/privacy",
  "/privacy (no processors)": "/privacy",
  "/shared": "/shared/any",
  "*": "/not-found",
};

/**
 * Renders the public pages and the share gate of a memory in both languages, as `prerendered.json` in `folder`.
 * @param {string} folder
 */
export async function prerenderPages(folder) {
  // Beside the packages, which are left out of it; away from what is served.
  const work = join(root, `.cache/prerender-${process.pid}`);
  try {
    await bundle(work);
    const { code, output } = await run(
      process.execPath,
      [import.meta.filename, work, join(folder, "prerendered.json")],
      {
        quiet: true,
        env: { ...process.env, NODE_ENV: "production" },
      },
    );
    if (code !== 0) throw new Error(`The pages could not be rendered:\n${output}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Notes beside the pages which scripts each of them needs, as the web app was built: browsers then need not read one
 * script to find out about the next.
 * @param {string} folder
 */
export async function noteScripts(folder) {
  const file = join(folder, "prerendered.json");
  const manifest = JSON.parse(await readFile(join(folder, "web/.vite/manifest.json"), "utf8"));
  const routes = await readFile(join(root, "web/routes.tsx"), "utf8");
  const first = filesOf("index.html", manifest);
  const scripts = Object.fromEntries(
    [...routes.replaceAll("/:memoryId?", "").matchAll(/path: "([^"]+)", load: \(\) => import\("\.\/([^"]+)"\)/g)].map(
      ([, path, module]) => [path, [...filesOf(`web/${module}`, manifest)].filter((name) => !first.has(name))],
    ),
  );
  // What a share gate opens to is fetched while somebody types the PIN.
  const behindDoor = filesOf("web/pages/memory/SharedContent.tsx", manifest);
  filesOf("web/lib/request/query-client.ts", manifest, behindDoor);
  const known = new Set([...first, ...(scripts["/shared/:shareId"] ?? [])]);
  const later = [...behindDoor].filter((name) => !known.has(name));
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), scripts, later }));
}

/** @param {string} work */
async function bundle(work) {
  const { build, stop } = await import("esbuild");
  await mkdir(work, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [join(root, "web/prerender.tsx")],
    outdir: work,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    packages: "external",
    alias: { "react-i18next": join(root, "web/i18n/translate.ts") },
    loader: { ".css": "empty" },
    jsx: "automatic",
    logLevel: "warning",
  });
  await stop();
}

/**
 * @param {string} work
 * @param {string} file
 */
async function renderAll(work, file) {
  // Pages make the client of the data as they start; it looks for what a browser has.
  Object.assign(globalThis, { WebSocket: globalThis.WebSocket ?? class {} });
  const { prerenderPage } = await import(pathToFileURL(join(work, "prerender.mjs")).href);
  /** @type {Record<string, Record<string, string>>} */
  const pages = { en: {}, it: {} };
  for (const [language, rendered] of Object.entries(pages)) {
    for (const [name, path] of Object.entries(PAGES)) {
      rendered[name] = await prerenderPage(path, language, {
        supabaseUrl: "http://localhost",
        supabaseAnonKey: "not asked for",
        stripePublishableKey: "-",
        turnstileSiteKey: "-",
        infoEmail: "-",
        processors: name.includes("no processors") ? [] : [PROCESSORS],
      });
    }
  }
  await writeFile(file, JSON.stringify({ words: pages }));
}

const [, script, work, file] = process.argv;
if (script === import.meta.filename && work && file) {
  await renderAll(work, file);
  // The clients of the data would go on renewing sessions.
  process.exit();
}
