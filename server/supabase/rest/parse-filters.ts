import { bracketDepth, FILTER_DEPTH, PATTERN_LENGTH } from "../bounds.ts";
import { RestError, syntaxError, tooMuch } from "./errors.ts";
import { parsePath } from "./parse-select.ts";
import { type Condition, type Field, type Group, OPERATORS, type Operator, type Test } from "./query.ts";
import { Reader } from "./reader.ts";

const DEEPEST = 10;

const QUANTIFIED = new Set<Operator>(["eq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "imatch"]);
const SEARCHES = new Set<Operator>(["fts", "plfts", "phfts", "wfts"]);
const COMPILED = new Set<Operator>(["like", "ilike", "match", "imatch", ...SEARCHES]);
/** The name of a text search configuration. */
const CONFIG = /^[\p{L}\p{N}_ $]+$/u;
const IS = new Set(["null", "not_null", "true", "false", "unknown"]);

/** Parses one parameter's value, e.g. `not.in.(1,2)`, as a condition on `field`. */
export function parseTest(field: Field, text: string): Test {
  const reader = new Reader(text);
  const test = readTest(reader, field, () => reader.rest());
  reader.end();
  return test;
}

/** Parses the value of `and` or `or`: `(a.eq.1,or(b.gt.2,not.and(c.is.null,d.in.(1,2))))`. */
export function parseGroup(kind: Group["kind"], negated: boolean, text: string): Group {
  const reader = new Reader(text);
  const group: Group = { kind, negated, parts: readParts(reader, 0) };
  reader.end();
  return group;
}

/** Whether a text begins like a test: distinguishes a filter from an argument of a function. */
export const looksLikeTest = (text: string): boolean => {
  const operator = /^(?:not\.)?([a-z]+)(?:\([^()]*\))?\./.exec(text)?.[1];
  return operator !== undefined && Object.hasOwn(OPERATORS, operator);
};

function readParts(reader: Reader, depth: number): Condition[] {
  if (depth > DEEPEST) throw tooMuch("levels of nested conditions", DEEPEST);
  reader.expect("(");
  const parts = reader.list(() => readPart(reader, depth));
  reader.expect(")");
  return parts;
}

function readPart(reader: Reader, depth: number): Condition {
  const group = reader.match(/(?:not\.)?(?:and|or)(?=\()/y);
  if (group) {
    const kind = group.endsWith("and") ? "and" : "or";
    return { kind, negated: group.startsWith("not."), parts: readParts(reader, depth + 1) };
  }
  const field: Field = { name: reader.name("a column"), path: parsePath(reader) };
  reader.expect(".");
  return readTest(reader, field, () => readBoundedValue(reader));
}

function readTest(reader: Reader, field: Field, readValue: () => string): Test {
  const negated = reader.eat("not.");
  const start = reader.at;
  const operator = reader.match(/[a-z]+/y) ?? "";
  if (!isOperator(operator)) throw syntaxError(reader.text, start, "an operator (eq, gt, …)");
  const test: Test = { kind: "test", field, negated, operator, value: "" };
  const bracketed = reader.match(/\([^()]*\)/y)?.slice(1, -1);
  if (bracketed !== undefined) {
    if (SEARCHES.has(operator) && CONFIG.test(bracketed)) test.config = bracketed.trim();
    else if (QUANTIFIED.has(operator) && (bracketed === "any" || bracketed === "all")) test.quantifier = bracketed;
    else throw syntaxError(reader.text, start, "an operator that takes (any), (all) or a language");
  }
  reader.expect(".");
  if (operator === "in") return { ...test, values: readMembers(reader) };
  const valueAt = reader.at;
  test.value = readValue();
  checkValue(operator, test.value);
  if (operator === "is") {
    test.value = test.value.toLowerCase();
    if (!IS.has(test.value)) throw syntaxError(reader.text, valueAt, "null, not_null, true, false or unknown");
  }
  return test;
}

/** Refuses values that the database takes long to parse. */
function checkValue(operator: Operator, value: string) {
  if (COMPILED.has(operator) && value.length > PATTERN_LENGTH) {
    throw new RestError(400, "PGRST100", `A pattern or text search may have up to ${PATTERN_LENGTH} characters`);
  }
  if (bracketDepth(value) > FILTER_DEPTH) throw tooMuch("levels of brackets in a value", FILTER_DEPTH);
}

const isOperator = (word: string): word is Operator => Object.hasOwn(OPERATORS, word);

/** Reads `(a,"b,c")`. A member is in quotes if it contains a comma or a bracket. */
function readMembers(reader: Reader): string[] {
  reader.expect("(");
  reader.skipSpaces();
  if (reader.eat(")")) return [];
  const members: string[] = [];
  do members.push(reader.sees('"') ? reader.quoted() : (reader.match(/[^,)]*/y) ?? ""));
  while (reader.eat(","));
  reader.expect(")");
  return members;
}

/** Reads a value within brackets. It ends at a comma or bracket, unless it is in quotes or is an array's `{…}`, without further braces. */
function readBoundedValue(reader: Reader): string {
  if (reader.sees('"')) return reader.quoted();
  return reader.match(/\{[^{}]*\}/y) ?? reader.match(/[^,)]*/y) ?? "";
}
