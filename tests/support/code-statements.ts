import { join, relative } from "node:path";
import ts from "typescript";
import type { Transaction } from "../../server/database/database.ts";
import { filesIn, meaningsOf, parse, type Scope, textsOf, visit } from "./source-texts.ts";

/** A call that runs SQL, with every possible text; none if the text is computed at run time. */
export interface SqlCall {
  /** `server/functions/report.ts:45`. */
  where: string;
  texts: string[];
}

/** The database's methods whose first argument is SQL, and functions with the index of that argument. */
const METHODS = new Set(["query", "read", "exec"]);
const FUNCTIONS = new Map([
  ["queryAsCaller", 2],
  ["queryWhileMoving", 1],
]);

/**
 * Every call in a folder's files that runs SQL. Texts are resolved through constants of the file and its imports,
 * templates, `+`, conditions, lookups in constant objects, and parameters of functions that are called in the same
 * file.
 */
export function sqlCalls(root: string, folder: string): SqlCall[] {
  return filesIn(join(root, folder), /\b(query|read|exec|queryAsCaller|queryWhileMoving)\b/).flatMap((path) => {
    const file = parse(path);
    const calls: SqlCall[] = [];
    visit(file, (node) => {
      const text = ts.isCallExpression(node) ? sqlArgument(node) : undefined;
      if (!text) return;
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      calls.push({
        where: `${relative(root, path)}:${line + 1}`,
        texts: textsOf(text, { file, parameters: new Map(), depth: 0 }) ?? [],
      });
    });
    return calls;
  });
}

function sqlArgument({ expression, arguments: args }: ts.CallExpression): ts.Expression | undefined {
  if (ts.isIdentifier(expression)) return args[FUNCTIONS.get(expression.text) ?? -1];
  if (!ts.isPropertyAccessExpression(expression) || !METHODS.has(expression.name.text)) return undefined;
  // Other objects have methods of these names, too.
  return /(^|\.)(db|tx|next|client|database)$/.test(expression.expression.getText()) ? args[0] : undefined;
}

/** Every distinct statement of the server that names something of the schema. */
export const serverStatements = (root: string): string[] =>
  [
    ...new Set(sqlCalls(root, "server").flatMap(({ texts }) => texts.filter(namesSchema).map(withoutIndentation))),
  ].sort();

/** Other statements, e.g. `begin`, name nothing of the schema. */
const namesSchema = (text: string) => /^\s*(select|insert|update|delete|with|merge)\b/i.test(text);
const withoutIndentation = (text: string) => text.trim().replace(/\n\s+/g, "\n");

/** The database's error when it prepares a statement, if any. */
export async function statementRefusal(db: Transaction, text: string): Promise<string | undefined> {
  if (!namesSchema(text)) return undefined;
  // Statements for `queryAsCaller` read their values from one array.
  const types = text.includes("$1[") ? "(text[])" : "";
  return db.exec(`prepare statement_of_code${types} as ${text}; deallocate statement_of_code`).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** A column in a filter or order of the web app. */
export interface NamedColumn {
  where: string;
  /** Undefined if it cannot be determined. */
  table: string | undefined;
  column: string;
}

const NAMING = new Set([
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "like",
  "ilike",
  "is",
  "in",
  "contains",
  "overlaps",
  "order",
]);

/** Every column in filters and orders of row requests that is a single text. */
export function namedColumns(root: string, folder: string): NamedColumn[] {
  return filesIn(join(root, folder), /\.from\(/).flatMap((path) => {
    const file = parse(path);
    const columns: NamedColumn[] = [];
    visit(file, (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
      const [column, , options] = node.arguments;
      if (!NAMING.has(node.expression.name.text) || !column || !ts.isStringLiteral(column)) return;
      // These options, or a dot, refer to columns of embedded tables.
      const isOfOther =
        column.text.includes(".") || node.arguments.some((one) => one.getText().includes("referencedTable"));
      if (isOfOther || options) return;
      const { line } = file.getLineAndCharacterOfPosition(column.getStart(file));
      const table = tableOf(node.expression.expression, { file, parameters: new Map(), depth: 0 });
      columns.push({ where: `${relative(root, path)}:${line + 1}`, table, column: column.text });
    });
    return columns;
  });
}

/** The table of a row request. */
function tableOf(node: ts.Expression, scope: Scope): string | undefined {
  if (scope.depth > 40) return undefined;
  const deeper = { ...scope, depth: scope.depth + 1 };
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) return tableOf(node.expression, deeper);
  if (ts.isConditionalExpression(node)) return tableOf(node.whenTrue, deeper);
  if (ts.isIdentifier(node)) {
    const [meaning] = meaningsOf(node, deeper);
    return meaning && tableOf(meaning.value, meaning.scope);
  }
  if (ts.isFunctionLike(node) && "body" in node) {
    const body = node.body as ts.Node | undefined;
    const last = body && ts.isBlock(body) ? body.statements.findLast(ts.isReturnStatement)?.expression : body;
    return last && tableOf(last as ts.Expression, deeper);
  }
  if (!ts.isCallExpression(node)) return undefined;
  const { expression, arguments: args } = node;
  if (ts.isIdentifier(expression)) {
    // A page of a list has the table of that list.
    return tableOf(expression.text === "inPages" && args[0] ? args[0] : expression, deeper);
  }
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const [named] = (args[0] && textsOf(args[0], { ...scope, depth: 0 })) ?? [];
  if (expression.name.text === "from") return named;
  if (expression.name.text === "rpc") return `${named}()`;
  return tableOf(expression.expression, deeper);
}
