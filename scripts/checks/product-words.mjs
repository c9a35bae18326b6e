import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../setup/root.mjs";
import { sources } from "./sources.mjs";

const WORDS = new Set(
  "memory memories tribute tributes share shares cart carts voucher vouchers album albums affiliate affiliates".split(
    " ",
  ),
);

/** Names of packages and APIs in which "memory" means a computer's memory. */
const FOREIGN = /\b(memoryCost|memoryUsage|heif_context_read_from_memory)\b/g;

/**
 * Checks that the names and texts of `server/supabase` contain no word of the product, because it implements a
 * protocol. Comments may contain them, and tests may use the product's tables.
 */
export async function productWords() {
  const problems = await Promise.all(
    sources(/(?<!\.test)\.(ts|sql)$/, "server/supabase").map(async (path) => {
      const text = await readFile(join(root, path), "utf8");
      const lines = path.endsWith(".sql") ? wordsOfSql(text) : wordsOfTypeScript(text);
      return lines.filter(({ word }) => WORDS.has(word)).map(({ line, word }) => `  ${path}:${line}: ${word}`);
    }),
  );
  return { wrong: problems.flat().join("\n") };
}

/** @param {string} text */
function wordsOfTypeScript(text) {
  const source = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest, false);
  /** @type {{ line: number, word: string }[]} */
  const terms = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (isWebAssemblyMemory(node)) return;
    const isText = ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || ts.isLiteralExpression(node);
    if (isText || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      terms.push(...split(node.text).map((word) => ({ line, word })));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return terms;
}

/** @param {ts.Node} node */
const isWebAssemblyMemory = (node) =>
  ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "WebAssembly";

/** @param {string} text */
const wordsOfSql = (text) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""))
    .split("\n")
    .flatMap((line, index) => split(line.replace(/--.*/, "")).map((word) => ({ line: index + 1, word })));

/**
 * The words of a name in lower case: `shareLink_id` has share, link, id.
 * @param {string} name
 */
const split = (name) =>
  (name.replace(FOREIGN, "").match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
