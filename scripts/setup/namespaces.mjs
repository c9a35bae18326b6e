import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { root } from "./root.mjs";

/** Included in the first script, because every page needs them. */
const EVERYWHERE = ["common", "layout"];

const MODULE = /^texts:(\w+)$/;

/**
 * Adds imports of the text namespaces that a web module names in `useTranslation("x")` or `translate("x:key")`, so that
 * a page loads only its own texts.
 * @param {string} code
 */
export function withTexts(code) {
  const calls = code.matchAll(/\buseTranslation\(([^)]*)\)|\btranslate\("(\w+:)/g);
  const names = [...calls].flatMap(([, list, key]) =>
    [...(list ?? `"${key}`).matchAll(/"(\w+)/g)].map(([, name]) => name),
  );
  const missing = [...new Set(names)].filter((name) => !EVERYWHERE.includes(String(name)));
  // On the first line, so that line numbers stay the same.
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
 * The plugin for Vite.
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
 * The plugin for esbuild, which bundles the server's page renderer.
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
