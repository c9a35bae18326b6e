import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build } from "esbuild";
import { defineConfig, type Plugin } from "vite";
import { OLDEST_BROWSERS } from "./scripts/setup/browsers.mjs";
import { viteNamespaces } from "./scripts/setup/namespaces.mjs";
import { viteRoutes } from "./scripts/setup/pages.mjs";

const server = process.env.SKIES_SERVER ?? "http://localhost:3000";
const serverPaths = [
  "/auth/v1",
  "/rest",
  "/storage",
  "/realtime",
  "/functions",
  "/.netlify",
  "/sandbox",
  "/config.json",
  "/health",
];

/** Modules that public pages and screens with data share. */
const BASE =
  /\/(web\/(ui\/(Sky\.|sky-|ProductPicture|colour-mix|Progress|QuestionList)|lib\/(formatting\/(locale|currency|day-part)|browser\/use-(latest|minute)))|lucide-react\/dist\/esm\/icons\/(check|chevron-down|arrow-(left|right)|cloud-off|x|search|loader-circle|triangle-[\w-]*|minus|plus|link-2|gift|lock|qr-code)\.)/;

/** Modules that pages with public data share. These pages do not load the Supabase client. */
const PUBLIC_DATA =
  /\/(web\/(data\/(catalogue|query-keys)|lib\/(request\/(refresh|public-rows|in-pages|unwrap)|browser\/storage)|ui\/(Problem|Skeleton|LoadMore|RoundButton|Form|TextField)\.)|shared\/(money|number-text|storage|card-face|escape-html))/;

/** UI components of screens with data. A visitor's first pages need none of them. */
const PARTS =
  /\/(web\/ui\/(Dialog|Menu|IconButton|Tooltip|WindowedGrid|far-row|use-)|@radix-ui\/react-(?!slot|compose)|@floating-ui|react-remove-scroll|aria-hidden)/;

export default defineConfig({
  publicDir: "web/public",
  plugins: [viteRoutes(), viteNamespaces(), react(), tailwindcss(), inlineScripts(), compressed()],
  // A replacement of a tenth of its size (decision 57).
  resolve: { alias: { "react-i18next": join(import.meta.dirname, "web/i18n/translate.ts") } },
  server: {
    port: Number(process.env.VITE_PORT ?? 5173),
    strictPort: true,
    proxy: Object.fromEntries(serverPaths.map((path) => [path, { target: server, ws: path === "/realtime" }])),
  },
  build: {
    outDir: "dist/web",
    target: OLDEST_BROWSERS,
    // Fonts are preloaded by URL, so they must stay files.
    assetsInlineLimit: (path) => (path.endsWith(".woff2") ? false : undefined),
    manifest: true,
    // Browsers without support for modulepreload load the same files a little later.
    modulePreload: { polyfill: false },
    // On a slow network a request costs more than its bytes, so the modules that every page needs are one file.
    rolldownOptions: {
      output: {
        // Short hashes, because the first script contains the names of all chunks, and hashes do not compress.
        chunkFileNames: "assets/[name]-[hash:7].js",
        codeSplitting: {
          groups: [
            { name: (id, modules) => (isFirst(id, modules) ? "first" : null), debugName: "first", priority: 3 },
            { name: "base", test: (id) => BASE.test(id) || PUBLIC_DATA.test(id), priority: 1 },
            // Separate, because the share gate needs only this group.
            {
              name: "requests",
              test: /\/web\/lib\/(request\/(call-function|request-policy|repeatable)|session\/token-claims)\./,
              priority: 2,
            },
            // Separate, because of the public pages only the blog's have pictures of rows.
            { name: "renditions", test: /\/(web\/lib\/request\/rendition-url|shared\/edit-key)\./, priority: 2 },
            // Separate, because public pages need only this component.
            { name: "empty", test: /\/web\/ui\/Empty/, priority: 1 },
            {
              name: "outbox",
              test: /\/web\/(data\/outbox\/|actions\/outbox\/use-)|texts:(outbox|notices)/,
              includeDependenciesRecursively: false,
            },
            // Functions of a few lines are one file, because the first script contains the name of each.
            {
              name: "small",
              test: /\/(web\/(lib\/(formatting\/(csv|duration|local-day|plain-text|time-zones)|browser\/(save-file|use-(copy|find|row-id)))|ui\/(BackHead|far-row|Unbroken))|shared\/(device-name|file-numbers))\.|(texts:|i18n\/\w+\/)undo\b/,
              includeDependenciesRecursively: false,
            },
            // What the shop shows of a card, and the other pages of cards.
            {
              name: "card",
              test: /\/web\/(features\/cards\/(shop\/CardStage|MemorySelect)|media\/card-face\/MetalCard|lib\/qr\/qr\.queries)\./,
              includeDependenciesRecursively: false,
            },
            { name: "fields", test: /\/web\/ui\/(TextArea|SearchField)\./, priority: 1 },
            // Separate, because of a memory's own modules the share gate needs only this one.
            { name: "typed", test: /\/(shared\/(pin|typed-text)|web\/features\/sharing\/share-keys)\./, priority: 2 },
            {
              name: "contact",
              test: /\/web\/features\/contact\/|texts:contact/,
              includeDependenciesRecursively: false,
            },
            // Small modules of the desk are one file, because the first script contains the name of each.
            {
              name: "desk",
              test: /\/web\/features\/(admin\/(desk-text|staff-call|Facts|use-choices)|account\/purposes)\.|\/shared\/country-name\./,
              // What they import, other pages need too.
              includeDependenciesRecursively: false,
            },
            {
              name: "to-cart",
              test: /\/web\/(actions\/add-to-cart|data\/pending-cart)\./,
              includeDependenciesRecursively: false,
            },
            {
              name: "heading",
              test: /\/web\/(features\/home\/HeroBar|layout\/(VisitorBar|SkyHeading))\./,
              includeDependenciesRecursively: false,
            },
            // Those of signed-in people's pages, too.
            {
              name: "own",
              test: /\/web\/(data\/(storage|cart)\.queries|features\/(cards\/(cards\.queries|use-card-memories)|cart\/checkout\.queries|dashboard\/use-storage-ring|notices\/(notice-settings\.queries|PauseField)|orders\/Order(Lines|StatusLine))|ui\/Switch)\./,
              includeDependenciesRecursively: false,
            },
            // What pages of a memory's photos share with its own parts.
            {
              name: "pictured",
              test: /\/(web\/(actions\/pictured|data\/pictured(\.queries)?|features\/photos\/(photos\.queries|arrange\/arrangement))|shared\/photo-edit|icons\/rotate-c?cw)\./,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            { name: "schemas", test: /\/zod\//, priority: 1 },
            { name: "queries", test: /\/(@tanstack\/|web\/lib\/request\/query-client\.)/ },
            { name: "rows", test: /\/(@supabase\/(postgrest|storage|functions)-js|iceberg-js)\//, minShareCount: 2 },
            { name: "changes", test: /\/@supabase\/(realtime-js|phoenix)\//, minShareCount: 2 },
            { name: "account", test: /\/@supabase\//, minShareCount: 4 },
            // The icons of tools, which come after a memory's first screen.
            {
              name: "tools",
              test: /\/icons\/(trash-2|pencil|user-plus|users|undo-2|gift|hard-drive|key-round|monitor-smartphone|hourglass|clapperboard|ban|circle-alert|check-check|calendar-plus|calendar-clock|grip-vertical|arrow-(up|down)|mail|image-plus|mic)\./,
              minShareCount: 3,
            },
            // The header's menu icon is the only one that a visitor's first pages need.
            { name: "icons", test: /\/lucide-react\/dist\/esm\/icons\/(?!menu\.)/, minShareCount: 3 },
            // One file with the modules for reading a memory. Other modules that a memory shares stay out of it.
            {
              name: (id, modules) => (isRead(id, modules) ? "reading" : null),
              debugName: "reading",
              minShareCount: 2,
            },
            { name: "bar", test: /\/(web\/ui\/(Wordmark|DetailsMenu)|lucide-react\/dist\/esm\/icons\/menu)\./ },
            {
              name: "plans",
              test: /\/web\/(features\/plans\/(PlanCards?|CardPrices|VoucherEntry)|media\/PlanSky|ui\/CodeForm)\./,
              priority: 1,
            },
            { name: "parts", test: PARTS, minShareCount: 5 },
            {
              name: "media",
              test: /\/web\/(media\/(?!uploads|editor|card-face|PlanSky)|actions\/(?!bot-check|add-to-cart|voucher-form|emails))/,
              minShareCount: 4,
            },
            // Modules that the "rest" group below shares with pages that do not need that group.
            {
              name: "beside",
              test: /\/(web\/(lib\/formatting\/time-ago|ui\/(Date(Input|Field)|date-text|Avatar|SidePanel)|data\/avatars)|shared\/avatar)|texts:(reports|downloads|dateField)/,
            },
            // The parts that a memory shows after its first pictures are one file, too.
            {
              name: (id, modules) => (isRest(id, modules) ? "rest" : null),
              debugName: "rest",
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});

interface Modules {
  getModuleInfo(id: string): { isEntry: boolean; importers: string[]; importedIds: string[] } | null;
}

const WHOLE = /\/node_modules\/(react|react-dom|react-router|scheduler|@radix-ui\/react-(slot|compose-refs))\//;

const first = new Map<string, boolean>();

/** Whether the first script imports a module, directly or indirectly, so that it belongs to the same file. */
function isFirst(id: string, modules: Modules): boolean {
  const cached = first.get(id);
  if (cached !== undefined) return cached;
  // Other packages export everything from one file, of which the app uses little.
  if (id.includes("/node_modules/") && !WHOLE.test(id)) return false;
  // Ends the recursion if modules import each other.
  first.set(id, false);
  const { isEntry = false, importers = [] } = modules.getModuleInfo(id) ?? {};
  const result = isEntry || importers.some((importer) => isFirst(importer, modules));
  first.set(id, result);
  return result;
}

const behind = new Map<string, Set<string>>();

/** Returns the app's own modules that a page imports, directly or indirectly. */
function importsOf(page: string, modules: Modules): Set<string> {
  const imports = behind.get(page) ?? new Set();
  if (behind.has(page)) return imports;
  behind.set(page, imports);
  const add = (id: string) => {
    if (imports.has(id) || id.includes("/node_modules/")) return;
    imports.add(id);
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported);
  };
  add(join(import.meta.dirname, "web/pages", page));
  return imports;
}

/** Pages of a memory, paths relative to `web/pages`. */
const OF_MEMORY = ["AlbumPage.tsx", "MemoryPage.tsx", "SharedPage.tsx"];

/** Other pages and what surrounds every page: these must not load a memory's modules for the few that they share. */
const elsewhere = ["pages", "layout", "features/cart", "features/notices", "features/trash"].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, "web", folder))
    .filter((file) => file.endsWith(".tsx") && !OF_MEMORY.includes(file))
    .map((file) => (folder === "pages" ? file : `../${folder}/${file}`)),
);
const isUsedElsewhere = (id: string, modules: Modules) => elsewhere.some((file) => importsOf(file, modules).has(id));

/** Whether a module is needed to read an opened memory or to sanitise its texts, and is not part of the share gate. */
const isRead = (id: string, modules: Modules) =>
  id.includes("/dompurify/") ||
  (importsOf("memory/SharedContent.tsx", modules).has(id) && !importsOf("SharedPage.tsx", modules).has(id));

/** Parts that a memory's page loads after its first pictures; paths relative to `web/pages`. */
const REST = [
  "../features/photos/PhotoSection.tsx",
  "../features/comments/Candle.tsx",
  "../features/comments/Conversation.tsx",
  "../features/reports/ReportButton.tsx",
  "memory/MemoryTools.tsx",
];

/** Whether a module belongs to these parts. Modules in other folders are excluded: many pages share them. */
const isRest = (id: string, modules: Modules) =>
  /\/web\/(features|pages\/memory|media|data|actions)\/|texts:/.test(id) &&
  REST.some((part) => importsOf(part, modules).has(id)) &&
  !isUsedElsewhere(id, modules);

/**
 * Writes the scripts that index.html marks with `data-inline` into the page: they run before the app, and without a
 * request. The value of the mark, e.g. `gate`, names the kind of page that has them; the server removes them from others.
 */
function inlineScripts(): Plugin {
  const bundled = async (entry: string) => {
    const { outputFiles } = await build({
      absWorkingDir: import.meta.dirname,
      entryPoints: [entry],
      bundle: true,
      format: "iife",
      minify: true,
      target: OLDEST_BROWSERS,
      write: false,
    });
    return outputFiles[0]?.text ?? "";
  };
  return {
    name: "skies:inline-scripts",
    transformIndexHtml: {
      // Before Vite takes the scripts for its own entries.
      order: "pre",
      async handler(html) {
        let page = html;
        for (const [tag, entry = "", kind] of html.matchAll(
          /<script src="\/([^"]+)" data-inline(?:="(\w+)")?><\/script>/g,
        )) {
          const script = await bundled(entry);
          page = page.replace(tag, () => `<script${kind ? ` data-${kind}` : ""}>${script}</script>`);
        }
        return page;
      },
    },
  };
}

/** Writes a .br and a .gz file beside each text file of the build. The server sends them unchanged. */
function compressed(): Plugin {
  const brotli = promisify(brotliCompress);
  const zip = promisify(gzip);
  return {
    name: "skies:compressed",
    apply: "build",
    // Reads the written files, because Vite still changes chunks while the bundle is being generated.
    async writeBundle({ dir = "dist/web" }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|html|svg|json|txt)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const file = join(dir, name);
          const source = await readFile(file);
          if (source.length < 512) return;
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
          await writeFile(`${file}.br`, await brotli(source, quality));
          await writeFile(`${file}.gz`, await zip(source, { level: 9 }));
        }),
      );
    },
  };
}
