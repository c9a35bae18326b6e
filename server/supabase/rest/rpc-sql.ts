import { bracketDepth, FILTER_DEPTH, SHORT_VALUE_LENGTH } from "../bounds.ts";
import { type Argument, type Callable, type Catalogue, isShortType } from "./catalogue.ts";
import { notSupported, RestError, tooLong, tooMuch } from "./errors.ts";
import { csvOf, onlyOne } from "./format-sql.ts";
import type { Format } from "./headers.ts";
import type { Pair } from "./parse-query.ts";
import { type Cleaners, cleanText, type Payload } from "./payload.ts";
import type { Query } from "./query.ts";
import { answerSql, type Wanted } from "./read-sql.ts";
import { Rows } from "./select-sql.ts";
import { arrayLiteral, inPublic, type Making, quote, type Statement } from "./sql.ts";

/** A function's arguments: a JSON body, or a URL's parameters. */
export type Given = { payload: Payload; cleaners: Cleaners } | { pairs: Pair[]; cleaners: Cleaners };

/** Returns a check of whether any function called `name` has a given argument. */
export const isArgumentOf = (catalogue: Catalogue, name: string) => (argument: string) =>
  (catalogue.functions.get(name) ?? []).some(({ args }) => args.some((arg) => arg.name === argument));

/** Returns the one function of that name with exactly these arguments. Arguments with defaults may be missing. */
export function findFunction(catalogue: Catalogue, name: string, given: Given): Callable {
  const named = catalogue.functions.get(name) ?? [];
  const names = "pairs" in given ? given.pairs.map(([key]) => key) : Object.keys(given.payload.rows[0] ?? {});
  const isList = "payload" in given && given.payload.isArray;
  const fitting = isList ? [] : named.filter(({ args }) => fits(args, names));
  const [first] = fitting.length > 0 ? fitting : "payload" in given ? named.filter(takesWholeBody) : [];
  if (!first) {
    if (named.some(hasUnnamed)) {
      throw notSupported("This server offers no unnamed arguments except a single one of json or jsonb.");
    }
    throw noFunction(name, names);
  }
  if (fitting.length > 1) {
    throw new RestError(
      300,
      "PGRST203",
      `Could not choose the best candidate function between: ${fitting.map(signature).join(", ")}`,
      null,
      "Try renaming the parameters or the function itself in the database so function overloading can be resolved",
    );
  }
  return first;
}

const fits = (args: Argument[], names: string[]) =>
  names.every((name) => args.some((arg) => arg.name === name)) &&
  args.every((arg) => !arg.required || (arg.name !== "" && names.includes(arg.name)));

const takesWholeBody = ({ args: [only, ...others] }: Callable) =>
  only !== undefined &&
  others.length === 0 &&
  only.name === "" &&
  (only.type.kind === "json" || only.type.kind === "jsonb");

const hasUnnamed = (called: Callable) => !takesWholeBody(called) && called.args.some(({ name }) => name === "");

const signature = ({ name, args }: Callable) =>
  `public.${name}(${args.map((arg) => `${arg.name} => ${arg.type.title}`).join(", ")})`;

const noFunction = (name: string, names: string[]) =>
  new RestError(
    404,
    "PGRST202",
    `Could not find the function public.${name}${names.length > 0 ? `(${names.join(", ")})` : " without parameters"} in the schema cache`,
    `Searched for the function public.${name}${
      names.length > 0 ? ` with parameters ${names.join(", ")}` : " without parameters"
    }, but no matches were found in the schema cache.`,
  );

/** Returns the statement that calls a function. Rows that it returns are read like those of a table. */
export function rpcSql(making: Making, called: Callable, given: Given, query: Query, wanted: Wanted): Statement {
  const { from, args } = argumentsSql(making, called, given);
  const call = `${inPublic(called.name)}(${args})`;
  const finish = (calling: string, answer: string): Statement => ({
    text: `with called as materialized (${calling}) ${answer}`,
    values: making.values.list,
  });
  const total = wanted.count ? "(select count(*) from called)" : "null::bigint";
  if (called.returns === "void") {
    return finish(`select ${call} as value${from}`, `select ''::text, count(*), ${total} from called`);
  }
  if (called.rows) {
    const rows = new Rows(making, { table: called.rows, sql: "called" }, query);
    const isFirst = !called.returnsSet && wanted.format.shape === "array";
    const format: Format = isFirst ? { ...wanted.format, shape: "first" } : wanted.format;
    const source = from === "" ? ` from ${call} as returned` : `${from}, lateral ${call} as returned`;
    return finish(`select returned.*${source}`, answerSql(making, rows, { ...wanted, format }));
  }
  // The column has PostgREST's name, which is the header of a CSV.
  const calling = `select ${call} as pgrst_scalar${from}`;
  const limit = Math.min(query.limit ?? making.maxRows, making.maxRows);
  const page = called.returnsSet ? `(select pgrst_scalar from called limit ${limit} offset ${query.offset})` : "called";
  const { shape, withoutNulls } = wanted.format;
  if (shape === "csv") {
    const csv = csvOf("'pgrst_scalar'", "answered");
    return finish(calling, `select ${csv}, count(*), ${total} from ${page} as answered`);
  }
  const list = withoutNulls ? "json_strip_nulls(json_agg(answered.pgrst_scalar))" : "json_agg(answered.pgrst_scalar)";
  const body = !called.returnsSet
    ? `(${list} -> 0)::text`
    : shape === "object"
      ? onlyOne(`(${list} -> 0)::text`)
      : `coalesce(${list}, '[]')::text`;
  return finish(calling, `select ${body}, count(*), ${total} from ${page} as answered`);
}

/** Returns the arguments by name, and the `from` that provides them. */
function argumentsSql(making: Making, called: Callable, given: Given): { from: string; args: string } {
  const [only] = called.args;
  if ("payload" in given && only && takesWholeBody(called)) {
    return { from: "", args: `${making.values.bind(given.payload.text)}::${only.type.name}` };
  }
  const named = (arg: Argument, sql: string) => `${arg.variadic ? "variadic " : ""}${quote(arg.name)} := ${sql}`;
  if ("payload" in given) {
    const sent = called.args.filter((arg) => Object.hasOwn(given.payload.rows[0] ?? {}, arg.name));
    if (sent.length === 0) return { from: "", args: "" };
    const text = making.values.bind(cleanText(given.payload, sent, given.cleaners));
    const shape = sent.map(({ name, type }) => `${quote(name)} ${type.name}`).join(", ");
    return {
      from: ` from json_to_record(${text}::json) as given(${shape})`,
      args: sent.map((arg) => named(arg, `given.${quote(arg.name)}`)).join(", "),
    };
  }
  const args = called.args.flatMap((arg) => {
    const values = given.pairs.filter(([name]) => name === arg.name).map(([, value]) => value);
    const last = values.at(-1);
    if (last === undefined) return [];
    const clean = arg.type.domain === null ? undefined : given.cleaners[arg.type.domain];
    if (isShortType(arg.type) && last.length > SHORT_VALUE_LENGTH) throw tooLong(`A value of ${arg.name}`);
    if (bracketDepth(last) > FILTER_DEPTH) throw tooMuch("levels of brackets in a value", FILTER_DEPTH);
    const value = arg.variadic ? arrayLiteral(values) : clean ? clean(last) : last;
    return [named(arg, `${making.values.bind(value)}::${arg.type.name}`)];
  });
  return { from: "", args: args.join(", ") };
}
