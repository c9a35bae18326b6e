import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Values that people have written. Staff's pages show them in tables of their own. */
const WORDS =
  /(person_name|memoryName|author_name|file_name|\.caption|\.alt_text|link_label)$|\b(album|block|card|comment|credit|entry|guest|head|item|moment|part|person|post|prompt|question|reply|slideshow|story|wall)\??\.(body|name|note|place|text|title|words)$|^(body|caption)$/;

const files = ["web", "server/downloads"]
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`))
  .filter((file) => /\.tsx$/.test(file) && !/features\/(admin|blog|legal|plans|cart|printing\/PagePicture)/.test(file));

/** The expressions that an expression's value can be. */
function valuesOf(node: ts.Expression): ts.Expression[] {
  if (ts.isParenthesizedExpression(node)) return valuesOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...valuesOf(node.whenTrue), ...valuesOf(node.whenFalse)];
  if (!ts.isBinaryExpression(node)) return [node];
  const isAnd = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
  return [...(isAnd ? [] : valuesOf(node.left)), ...valuesOf(node.right)];
}

function hasDirection(node: ts.Node, source: ts.SourceFile): boolean {
  for (let around = node.parent; around; around = around.parent) {
    if (!ts.isJsxElement(around)) continue;
    const { tagName, attributes } = around.openingElement;
    if (tagName.getText(source) === "bdi") return true;
    if (attributes.properties.some(({ name }) => name?.getText(source) === "dir")) return true;
  }
  return false;
}

test("people's words have the direction of their script, wherever they are shown alone", () => {
  const without: string[] = [];
  for (const file of files) {
    const source = ts.createSourceFile(
      file,
      readFileSync(file, "utf8"),
      ts.ScriptTarget.Latest,
      true,
      ts.ScriptKind.TSX,
    );
    const visit = (node: ts.Node): void => {
      if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent)) {
        for (const value of valuesOf(node.expression)) {
          const text = value.getText(source);
          if (WORDS.test(text) && !hasDirection(node, source)) without.push(`${file}: ${text}`);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  expect(without).toEqual([]);
});
