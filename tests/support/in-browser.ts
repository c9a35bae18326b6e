import type { Page } from "@playwright/test";
import { build } from "esbuild";

const root = new URL("../..", import.meta.url).pathname;

/** Loads modules of the web app into an empty page; what they export is the page's `window.loaded`. */
export async function loadModules(page: Page, modules: string[]) {
  const { outputFiles } = await build({
    stdin: { contents: modules.map((path) => `export * from "./${path}";`).join("\n"), resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "loaded",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  await page.setContent("<!doctype html><title>Modules</title><main></main>");
  await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
}
