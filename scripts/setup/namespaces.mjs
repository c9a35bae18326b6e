import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { root } from "./root.mjs";

/** They come with the first script: every page needs them. */
const EVERYWHERE = ["common", "layout"];

const MODULE = /^texts:(\w+)$/;

/**
 * The code of a module of the web app, with an import of every namespace of texts that it names in
 * `useTranslation("x")` or `translate("x:key")`: a page then loads the texts that it shows, and no others.
 * @param {string} code
 */
export function withTexts(code) {
  const calls = code.matchAll(/\buseTranslation\(([^)]*)\)|\btranslate\("(\w+:)/g);
  const names = [...calls].flatMap(([, list, key]) =>
    [...(list ?? `"${key}`).matchAll(/"(\w+)/g)].map(([, name]) => name),
  );
  const missing = [...new Set(names)].filter((name) => !EVERYWHERE.includes(String(name)));
  // On the first line, so that the others keep their numbers.
  return missing.map((name) => `import "texts:${name}";`).join("") + code;
}

/** @param {string} name */
function textsOf(name) {
  const path = (/** @type {string} */ file) => JSON.stringify(join(root, "web/i18n", file));
  return `import en from ${path(`en/${name}.json`)};
    import it from ${path(`it/${name}.json`)};
    import { addNamespace } from ${path("resources.ts")};
    addNamespace("${name}", { en, it });`;
}

/**
 * Texts with the code that names them, for Vite.
 * @returns {import("vite").Plugin}
 */
export const viteNamespaces = () => ({
  name: "skies:namespaces",
  enforce: "pre",
  resolveId: (id) => (MODULE.test(id) ? `\0${id}` : undefined),
  load(id) {
    const [, name] = id.replace("\0", "").match(MODULE) ?? [];
    return name && textsOf(name);
  },
  transform: {
    filter: { id: /\/web\/.*\.tsx?$/ },
    handler: (code) => ({ code: withTexts(code), map: null }),
  },
});

/**
 * The same for esbuild, which bundles what renders pages on the server.
 * @type {import("esbuild").Plugin}
 */
export const esbuildNamespaces = {
  name: "namespaces",
  setup(build) {
    build.onResolve({ filter: MODULE }, ({ path }) => ({ path, namespace: "texts" }));
    build.onLoad({ filter: MODULE, namespace: "texts" }, ({ path }) => ({
      contents: textsOf(path.replace(MODULE, "$1")),
      resolveDir: root,
    }));
    build.onLoad({ filter: /\/web\/.*\.tsx?$/ }, async ({ path }) => ({
      contents: withTexts(await readFile(path, "utf8")),
      loader: extname(path) === ".tsx" ? "tsx" : "ts",
    }));
  },
};
