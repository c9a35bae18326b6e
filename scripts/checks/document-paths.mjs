import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { root } from "../setup/root.mjs";
import { sources } from "./sources.mjs";

const NAMED = /`((?:\.ci|bench|db|docs|sandboxes|scripts|server|shared|tests|web)\/[\w./-]*)`/g;
/** The target of a link to a file of the repository, without its heading. */
const LINKED = /\]\(([\w./-]+)(?:#[\w-]*)?\)/g;
/** Decisions describe the time when they were made. */
const HISTORY = /^docs\/decisions\//;

/** Checks that every file and folder exists that a document links to, or names in code type. */
export async function documentPaths() {
  const documents = sources(/\.md$/);
  const missing = await Promise.all(
    documents.map(async (document) => {
      const text = await readFile(join(root, document), "utf8");
      const named = HISTORY.test(document) ? [] : [...text.matchAll(NAMED)].map(([, path = ""]) => path);
      const linked = [...text.matchAll(LINKED)].map(([, path = ""]) => join(dirname(document), path));
      return [...named, ...linked]
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `  ${document} names ${path}, which is not there.`);
    }),
  );
  return { wrong: missing.flat().join("\n"), note: `${documents.length} documents` };
}
