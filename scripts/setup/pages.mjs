import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withBundler } from "./bundler.mjs";
import { root } from "./root.mjs";

/** @typedef {import("../../shared/pages.ts").Page} Page */

/**
 * Every page of the app, from `shared/pages.ts`, which plain Node cannot import.
 * @returns {Promise<readonly Page[]>}
 */
export async function readPages() {
  const source = await readFile(join(root, "shared/pages.ts"), "utf8");
  const { code } = await withBundler(({ transform }) => transform(source, { loader: "ts" }));
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).pages;
}

/** @param {Page} page */
export const moduleOf = ({ file }) => `web/pages/${file}.tsx`;

/**
 * The module `virtual:routes` of the web app, and for each group of pages a module that few visitors load, because the first
 * script contains the names of all files that it may load.
 */
const ROUTES = /^virtual:routes(-desk|-rare)?$/;

/** @param {Page} page */
const groupOf = ({ kind, rare }) => (kind === "desk" ? "desk" : rare ? "rare" : undefined);

/** @param {Page} page */
const load = (page) => `() => import(${JSON.stringify(join(root, moduleOf(page)))})`;

/** @param {string} name */
async function codeOf(name) {
  const pages = await readPages();
  const inGroup = (/** @type {string} */ group) => pages.filter((page) => groupOf(page) === group);
  const group = ROUTES.exec(name)?.[1]?.slice(1);
  if (group) return `export default [${inGroup(group).map(load).join(",\n")}];`;
  const lines = pages.map((page) => {
    const of = groupOf(page);
    const { path, plain, bare } = page;
    const signedIn = page.kind === "app" && !page.open;
    const flags = Object.entries({ signedIn, plain, bare }).map(([flag, is]) => (is ? `, ${flag}: true` : ""));
    return `{ path: ${JSON.stringify(path)}, load: ${of ? `${of}(${inGroup(of).indexOf(page)})` : load(page)}${flags.join("")} }`;
  });
  const groups = ["desk", "rare"].map(
    (of) => `const ${of} = (place) => async () => (await import("virtual:routes-${of}")).default[place]();`,
  );
  return `${groups.join("\n")}\nexport const routes = [${lines.join(",\n")}];`;
}

/**
 * The plugin for Vite.
 * @returns {import("vite").Plugin}
 */
export const viteRoutes = () => ({
  name: "skies:routes",
  enforce: "pre",
  resolveId: (id) => (ROUTES.test(id) ? `\0${id}` : undefined),
  load: (id) => (ROUTES.test(id.replace("\0", "")) ? codeOf(id.replace("\0", "")) : undefined),
});

/**
 * The plugin for esbuild, which bundles the server's page renderer.
 * @type {import("esbuild").Plugin}
 */
export const esbuildRoutes = {
  name: "routes",
  setup(build) {
    build.onResolve({ filter: ROUTES }, ({ path }) => ({ path, namespace: "routes" }));
    build.onLoad({ filter: ROUTES, namespace: "routes" }, async ({ path }) => ({
      contents: await codeOf(path),
      resolveDir: root,
    }));
  },
};
