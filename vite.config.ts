import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build } from "esbuild";
import { defineConfig, type Plugin } from "vite";
import { viteNamespaces } from "./scripts/setup/namespaces.mjs";

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

/** What public pages and screens with data share. */
const BASE =
  /\/(web\/(ui\/(Sky\.|sky-|ProductPicture|colour-mix|Progress|QuestionList)|lib\/(formatting\/(locale|currency|day-part)|browser\/use-(latest|minute)))|lucide-react\/dist\/esm\/icons\/(check|chevron-down|arrow-|cloud-off|x|search|loader-circle|triangle-|minus|plus|link-2|gift|lock|qr-code)[\w-]*\.)/;

/** What pages with public data share. They do without the client. */
const PUBLIC_DATA =
  /\/(web\/(data\/(catalogue|query-keys)|lib\/(request\/(public-rows|in-pages|unwrap|rendition-url)|browser\/storage)|ui\/(Problem|Skeleton|LoadMore|RoundButton|Form|TextField)\.)|shared\/(money|number-text|storage|card-face|escape-html))/;

/** What screens with data are made of. A visitor's first pages need none of it. */
const PARTS =
  /\/(web\/ui\/(Dialog|Menu|IconButton|Tooltip|WindowedGrid|far-row|use-)|@radix-ui\/react-(?!slot|compose)|@floating-ui|react-remove-scroll|aria-hidden)/;

export default defineConfig({
  publicDir: "web/public",
  plugins: [viteNamespaces(), react(), tailwindcss(), skyOfTheHour(), compressed()],
  // Stands in for it at a tenth of its size (decision 57).
  resolve: { alias: { "react-i18next": join(import.meta.dirname, "web/i18n/translate.ts") } },
  server: {
    port: Number(process.env.VITE_PORT ?? 5173),
    strictPort: true,
    proxy: Object.fromEntries(serverPaths.map((path) => [path, { target: server, ws: path === "/realtime" }])),
  },
  build: {
    outDir: "dist/web",
    target: "es2022",
    // Fonts are preloaded by address, so they must stay files.
    assetsInlineLimit: (path) => (path.endsWith(".woff2") ? false : undefined),
    manifest: true,
    // Browsers without it load the same a little later.
    modulePreload: { polyfill: false },
    // On a bad line a request costs more than its bytes: what every page needs comes as one file.
    rolldownOptions: {
      output: {
        // The first script names all others, and no hash can be compressed.
        chunkFileNames: "assets/[name]-[hash:7].js",
        codeSplitting: {
          groups: [
            { name: (id, modules) => (isFirst(id, modules) ? "first" : null), debugName: "first", priority: 3 },
            { name: "base", test: (id) => BASE.test(id) || PUBLIC_DATA.test(id), priority: 1 },
            // Apart, because a share gate needs this and no more.
            {
              name: "requests",
              test: /\/web\/lib\/(request\/(call-function|request-policy|repeatable)|session\/token-claims)\./,
              priority: 2,
            },
            // Apart, because public pages need it and no more.
            { name: "empty", test: /\/web\/ui\/Empty/, priority: 1 },
            { name: "fields", test: /\/web\/ui\/(TextArea|SearchField)\./, priority: 1 },
            { name: "schemas", test: /\/zod\//, priority: 1 },
            { name: "queries", test: /\/(@tanstack\/|web\/lib\/request\/query-client\.)/ },
            { name: "rows", test: /\/(@supabase\/(postgrest|storage|functions)-js|iceberg-js)\//, minShareCount: 2 },
            { name: "changes", test: /\/@supabase\/(realtime-js|phoenix)\//, minShareCount: 2 },
            { name: "account", test: /\/@supabase\//, minShareCount: 4 },
            // The header's own is all that a visitor's first pages need of them.
            { name: "icons", test: /\/lucide-react\/dist\/esm\/icons\/(?!menu\.)/, minShareCount: 3 },
            // What a memory reads with comes as one file, and no more of what it shares with others than that.
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
              test: /\/web\/(media\/(?!uploads|editor|card-face|PlanSky)|actions\/(?!bot-check|add-to-cart|voucher-form))/,
              minShareCount: 4,
            },
            // The rest of a memory shares these with pages that need no more of it.
            {
              name: "beside",
              test: /\/(web\/(lib\/formatting\/time-ago|ui\/(Date(Input|Field)|date-text|Avatar|SidePanel)|data\/avatars)|shared\/avatar)|texts:(reports|downloads)/,
            },
            // What a memory shows after its first pictures comes as one file, too.
            { name: (id, modules) => (isRest(id, modules) ? "rest" : null), debugName: "rest" },
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

/** Whether a module comes with the first script, because that imports it. */
function isFirst(id: string, modules: Modules): boolean {
  const known = first.get(id);
  if (known !== undefined) return known;
  // Other packages name all that they have in one file, of which little is used.
  if (id.includes("/node_modules/") && !WHOLE.test(id)) return false;
  // Where modules import each other.
  first.set(id, false);
  const { isEntry = false, importers = [] } = modules.getModuleInfo(id) ?? {};
  const found = isEntry || importers.some((importer) => isFirst(importer, modules));
  first.set(id, found);
  return found;
}

const behind = new Map<string, Set<string>>();

/** What of ours a page imports, and what that imports. */
function importsOf(page: string, modules: Modules): Set<string> {
  const found = behind.get(page) ?? new Set();
  if (behind.has(page)) return found;
  behind.set(page, found);
  const add = (id: string) => {
    if (found.has(id) || id.includes("/node_modules/")) return;
    found.add(id);
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported);
  };
  add(join(import.meta.dirname, "web/pages", page));
  return found;
}

/** Whether a module is needed to read an opened memory, or to clean its texts, and was not for its share gate. */
const isRead = (id: string, modules: Modules) =>
  id.includes("/dompurify/") ||
  (importsOf("memory/SharedContent.tsx", modules).has(id) && !importsOf("SharedPage.tsx", modules).has(id));

/** What a memory's page loads when its first pictures are there, from the folder of the pages. */
const REST = [
  "../features/photos/PhotoSection.tsx",
  "../features/comments/Candle.tsx",
  "../features/comments/Conversation.tsx",
  "../features/reports/ReportButton.tsx",
  "memory/MemoryTools.tsx",
];

/** Whether a module is needed for the rest of a memory. What lies elsewhere is shared with many pages. */
const isRest = (id: string, modules: Modules) =>
  /\/web\/(features\/(photos|comments|reports)|pages\/memory|media|data)\//.test(id) &&
  REST.some((part) => importsOf(part, modules).has(id));

/** Puts `web/sky-of-the-hour.ts` into the head of the page: it has to run before the first paint. */
function skyOfTheHour(): Plugin {
  return {
    name: "skies:sky-of-the-hour",
    async transformIndexHtml(html) {
      const { outputFiles } = await build({
        absWorkingDir: import.meta.dirname,
        entryPoints: ["web/sky-of-the-hour.ts"],
        bundle: true,
        format: "iife",
        minify: true,
        target: "es2022",
        write: false,
      });
      return html.replace("<script>", () => `<script>${outputFiles[0]?.text}</script>\n    <script>`);
    },
  };
}

/** Lays a .br and a .gz beside every text file of the build, which the server sends as they are. */
function compressed(): Plugin {
  const brotli = promisify(brotliCompress);
  const zip = promisify(gzip);
  return {
    name: "skies:compressed",
    apply: "build",
    // From the written files: Vite itself still changes chunks while a bundle is being generated.
    async writeBundle({ dir = "dist/web" }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|html|svg|json|txt)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const file = join(dir, name);
          const source = await readFile(file);
          if (source.length < 1024) return;
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
          await writeFile(`${file}.br`, await brotli(source, quality));
          await writeFile(`${file}.gz`, await zip(source, { level: 9 }));
        }),
      );
    },
  };
}
