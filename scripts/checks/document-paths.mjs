import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../setup/root.mjs";
import { sources } from "./sources.mjs";

const NAMED = /`((?:\.ci|bench|db|docs|sandboxes|scripts|server|shared|tests|web)\/[\w./-]*)`/g;
/** Decisions tell what was true when they were made. */
const HISTORY = /^docs\/decisions\//;

/** Every file and folder that a document names in code type is there. */
export async function documentPaths() {
  const documents = sources(/\.md$/).filter((path) => !HISTORY.test(path));
  const missing = await Promise.all(
    documents.map(async (document) => {
      const text = await readFile(join(root, document), "utf8");
      return [...text.matchAll(NAMED)]
        .map(([, path = ""]) => path)
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `  ${document} names ${path}, which is not there.`);
    }),
  );
  return { wrong: missing.flat().join("\n"), note: `${documents.length} documents` };
}
