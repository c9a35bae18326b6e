import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/** The TypeScript files below a folder that match, without tests. */
export const filesIn = (folder: string, having: RegExp): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, having);
    return /(?<!\.test)\.tsx?$/.test(entry.name) && having.test(readFileSync(path, "utf8")) ? [path] : [];
  });

const parsed = new Map<string, ts.SourceFile>();

/** A file, parsed by TypeScript. */
export function parse(path: string): ts.SourceFile {
  const parsedFile = parsed.get(path);
  if (parsedFile) return parsedFile;
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  parsed.set(path, file);
  return file;
}

/** Calls `each` for a node and all its descendants. */
export function visit(node: ts.Node, each: (node: ts.Node) => void) {
  each(node);
  ts.forEachChild(node, (child) => visit(child, each));
}

/** The file and context of an expression. */
export interface Scope {
  file: ts.SourceFile;
  /** The texts of a function's parameters while one of its calls is followed. */
  parameters: ReadonlyMap<string, string[] | undefined>;
  depth: number;
}

/** Every possible text of an expression; undefined if it cannot be determined. */
export function textsOf(node: ts.Expression, scope: Scope): string[] | undefined {
  if (scope.depth > 12) return undefined;
  const of = (part: ts.Expression) => textsOf(part, { ...scope, depth: scope.depth + 1 });
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [node.text];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    return of(node.expression);
  }
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce<string[] | undefined>(
      (texts, span) => joined(joined(texts, of(span.expression)), [span.literal.text]),
      [node.head.text],
    );
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return joined(of(node.left), of(node.right));
  }
  if (ts.isConditionalExpression(node)) return either([of(node.whenTrue), of(node.whenFalse)]);
  if (ts.isPropertyAccessExpression(node)) return either(membersOf(node.expression, node.name.text, scope));
  if (ts.isElementAccessExpression(node)) return either(membersOf(node.expression, undefined, scope));
  if (ts.isCallExpression(node))
    return ts.isIdentifier(node.expression) ? answersOf(node, node.expression, scope) : undefined;
  if (!ts.isIdentifier(node)) return undefined;
  if (scope.parameters.has(node.text)) return scope.parameters.get(node.text);
  return either(meaningsOf(node, scope).map((meaning) => textsOf(meaning.value, meaning.scope)));
}

const joined = (before: string[] | undefined, after: string[] | undefined) =>
  before && after?.flatMap((end) => before.map((start) => start + end));

const either = (all: readonly (string[] | undefined)[]) =>
  all.length > 0 && all.every((texts) => texts !== undefined) ? all.flat() : undefined;

/** The texts of one or all properties of a constant object. */
function membersOf(object: ts.Expression, name: string | undefined, scope: Scope): (string[] | undefined)[] {
  const meanings = ts.isIdentifier(object) ? meaningsOf(object, scope) : [{ value: object, scope }];
  return meanings.flatMap(({ value, scope }) => {
    const literal = ts.isAsExpression(value) || ts.isSatisfiesExpression(value) ? value.expression : value;
    if (!ts.isObjectLiteralExpression(literal)) return [undefined];
    return literal.properties.flatMap((property) => {
      if (!ts.isPropertyAssignment(property)) return [undefined];
      const isIt = name === undefined || property.name.getText().replaceAll('"', "") === name;
      return isIt ? [textsOf(property.initializer, scope)] : [];
    });
  });
}

/** The text that a function returns for these arguments, if it does nothing else. */
function answersOf(call: ts.CallExpression, name: ts.Identifier, scope: Scope): string[] | undefined {
  const answers = meaningsOf(name, scope).map(({ value, scope: own }) => {
    if (!ts.isFunctionLike(value) || !("body" in value)) return undefined;
    const body = value.body as ts.Node | undefined;
    const last = body && ts.isBlock(body) ? body.statements.at(-1) : undefined;
    const returned = last && ts.isReturnStatement(last) ? last.expression : last ? undefined : body;
    const parameters = new Map(
      value.parameters.map((parameter, index) => {
        const argument = call.arguments[index] ?? parameter.initializer;
        return [parameter.name.getText(), argument && textsOf(argument, { ...scope, depth: scope.depth + 1 })];
      }),
    );
    return returned && textsOf(returned as ts.Expression, { ...own, parameters, depth: scope.depth + 1 });
  });
  return either(answers);
}

interface Found {
  value: ts.Expression;
  scope: Scope;
}

/**
 * The meanings of a name: a constant, a function, or a parameter's arguments in all calls of its function in this file.
 */
export function meaningsOf(name: ts.Identifier, scope: Scope): Found[] {
  const within = { ...scope, parameters: new Map(), depth: scope.depth + 1 };
  const isHere = name.getSourceFile() === scope.file;
  const declarations: (Found & { block: ts.Node })[] = [];
  visit(scope.file, (node) => {
    const block = blockOf(node);
    if (isHere ? !contains(block, name) : block !== scope.file) return;
    const add = (all: Found[]) => declarations.push(...all.map((one) => ({ ...one, block })));
    if (ts.isVariableDeclaration(node)) add(declared(node, name.text, within));
    if (ts.isFunctionDeclaration(node) && node.name?.text === name.text) {
      add([{ value: node as unknown as ts.Expression, scope: within }]);
    }
    if (ts.isImportSpecifier(node) && node.name.text === name.text) add(imported(node, within));
    if (ts.isParameter(node) && node.name.getText() === name.text) add(handedOver(node, within));
  });
  // The innermost declaration hides the others.
  const innermost = declarations.at(-1)?.block;
  return declarations.filter(({ block }) => block === innermost);
}

/** The scope of a declaration. */
function blockOf(node: ts.Node): ts.Node {
  const { parent } = node;
  if (!parent || ts.isSourceFile(parent)) return parent ?? node;
  const holds = ts.isBlock(parent) || ts.isFunctionLike(parent) || ts.isForOfStatement(parent);
  return holds ? parent : blockOf(parent);
}

/**
 * Handles `const name = …`, `const [name] = [… ]` or one of two lists, and `for (const [, name] of Object.entries(…))`.
 */
function declared({ name, initializer, parent }: ts.VariableDeclaration, wantedName: string, scope: Scope): Found[] {
  if (ts.isIdentifier(name)) return name.text === wantedName && initializer ? [{ value: initializer, scope }] : [];
  if (!ts.isArrayBindingPattern(name)) return [];
  const index = name.elements.findIndex(
    (element) => ts.isBindingElement(element) && element.name.getText() === wantedName,
  );
  if (index < 0) return [];
  if (initializer)
    return listsIn(initializer)
      .flatMap((list) => list.elements[index] ?? [])
      .map((value) => ({ value, scope }));
  const loop = parent.parent;
  if (!ts.isForOfStatement(loop) || !ts.isCallExpression(loop.expression)) return [];
  const [object] = loop.expression.arguments;
  const meanings = object && ts.isIdentifier(object) ? meaningsOf(object, scope) : [];
  return meanings.flatMap(({ value, scope }) =>
    ts.isObjectLiteralExpression(value)
      ? value.properties.flatMap((property) =>
          ts.isPropertyAssignment(property) ? [{ value: property.initializer, scope }] : [],
        )
      : [],
  );
}

function listsIn(node: ts.Expression): ts.ArrayLiteralExpression[] {
  if (ts.isArrayLiteralExpression(node)) return [node];
  if (ts.isConditionalExpression(node)) return [...listsIn(node.whenTrue), ...listsIn(node.whenFalse)];
  return ts.isParenthesizedExpression(node) ? listsIn(node.expression) : [];
}

function imported({ name, propertyName, parent }: ts.ImportSpecifier, scope: Scope): Found[] {
  const { moduleSpecifier } = parent.parent.parent;
  const from = ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : "";
  const original = propertyName ?? name;
  if (!from.startsWith(".") || !ts.isIdentifier(original)) return [];
  return meaningsOf(original, { ...scope, file: parse(join(dirname(scope.file.fileName), from)) });
}

const contains = (outer: ts.Node, inner: ts.Node) => outer.pos <= inner.pos && inner.end <= outer.end;

function handedOver(parameter: ts.ParameterDeclaration, scope: Scope): Found[] {
  const owner = parameter.parent;
  const named = ts.isFunctionDeclaration(owner)
    ? owner.name
    : ts.isVariableDeclaration(owner.parent) && owner.parent.name;
  if (!named || !ts.isIdentifier(named)) return [];
  const index = owner.parameters.indexOf(parameter);
  const declarations: Found[] = [];
  visit(scope.file, (node) => {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== named.text) return;
    const value = node.arguments[index] ?? parameter.initializer;
    if (value) declarations.push({ value, scope });
  });
  return declarations;
}
