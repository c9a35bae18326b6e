import { bracketDepth, FILTER_DEPTH, SHORT_VALUE_LENGTH } from "../bounds.ts";
import { type Argument, type Callable, type Catalogue, isShortType, SCALAR } from "./catalogue.ts";
import { notSupported, RestError, tooLong, tooMuch, unknownColumn } from "./errors.ts";
import { answeredSql } from "./format-sql.ts";
import type { Pair } from "./parse-query.ts";
import { type Cleaners, cleanText, type Payload } from "./payload.ts";
import type { Query } from "./query.ts";
import { answerSql, type Wanted } from "./read-sql.ts";
import { Rows } from "./select-sql.ts";
import { arrayLiteral, inPublic, type Making, quote, type Statement } from "./sql.ts";

/** A function's arguments: a JSON body, or a URL's parameters. */
export type Given =
  | { payload: Payload; cleaners: Cleaners; columns?: string[] }
  | { pairs: Pair[]; cleaners: Cleaners };

/** The names of the arguments: of a body, those in `columns` if the request has it. */
const namesOf = (args: Given): string[] =>
  "pairs" in args
    ? [...new Set(args.pairs.map(([key]) => key))]
    : (args.columns ?? Object.keys(args.payload.rows[0] ?? {}));

/** Returns a check of whether any function called `name` has a given argument. */
export const isArgumentOf = (catalogue: Catalogue, name: string) => (argument: string) =>
  (catalogue.functions.get(name) ?? []).some(({ args }) => args.some((arg) => arg.name === argument));

/** Returns the one function of that name with exactly these arguments. Arguments with defaults may be missing. */
export function findFunction(catalogue: Catalogue, name: string, passedArgs: Given): Callable {
  const candidates = catalogue.functions.get(name) ?? [];
  const names = namesOf(passedArgs);
  const isList = "payload" in passedArgs && passedArgs.payload.isArray;
  const fitting = isList ? [] : candidates.filter(({ args }) => fits(args, names));
  const [first] = fitting.length > 0 ? fitting : "payload" in passedArgs ? candidates.filter(takesWholeBody) : [];
  const isUnnamed = fitting.some(hasUnnamed) && (fitting.length > 1 || names.includes(""));
  if (isUnnamed || (!first && candidates.some(hasUnnamed))) {
    throw notSupported("This server offers no unnamed arguments except a single one of json or jsonb.");
  }
  if (!first) throw noFunction(name, names, "payload" in passedArgs);
  if (fitting.length > 1) {
    throw new RestError(
      300,
      "PGRST203",
      `Could not choose the best candidate function between: ${fitting.map(signature).toSorted().join(", ")}`,
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

const hasUnnamed = (callable: Callable) => !takesWholeBody(callable) && callable.args.some(({ name }) => name === "");

const signature = ({ name, args }: Callable) =>
  `public.${name}(${args.map((arg) => `${arg.name} => ${arg.type.title}`).join(", ")})`;

const noFunction = (name: string, names: string[], isPost: boolean) => {
  const list = names.toSorted().join(", ");
  const searched = names.length === 0 ? " without parameters" : ` with parameter${names.length > 1 ? "s" : ""} ${list}`;
  return new RestError(
    404,
    "PGRST202",
    `Could not find the function public.${name}${names.length > 0 ? `(${list})` : " without parameters"} in the schema cache`,
    `Searched for the function public.${name}${searched}${
      isPost ? " or with a single unnamed json/jsonb parameter" : ""
    }, but no matches were found in the schema cache.`,
  );
};

/** Returns the statement that calls a function. Rows that it returns are read like those of a table. */
export function rpcSql(
  making: Making,
  callable: Callable,
  passedArgs: Given,
  query: Query,
  options: Wanted,
): Statement {
  const { from, args } = argumentsSql(making, callable, passedArgs);
  const call = `${inPublic(callable.name)}(${args})`;
  const finish = (calling: string, answer: string): Statement => ({
    text: `with called as materialized (${calling}) ${answer}`,
    values: making.values.list,
  });
  const table = callable.rows;
  if (callable.returns === "row") {
    const rows = new Rows(making, { table, sql: "called", ofFunction: true }, query);
    const source = from === "" ? ` from ${call} as returned` : `${from}, lateral ${call} as returned`;
    return finish(`select returned.*${source}`, answerSql(making, rows, { ...options, isOne: !callable.returnsSet }));
  }
  const calling = `select ${call} as ${SCALAR}${from}`;
  const rows = new Rows(making, { table, sql: "called", ofFunction: true }, query);
  if (callable.returns === "void") {
    const total = options.count ? rows.total : "null::bigint";
    return finish(calling, `select ''::text, count(*), ${total} from ${answeredSql(rows, options.format)}`);
  }
  const isObject = callable.returnsSet && options.format.shape === "object";
  if (!isObject && options.format.shape !== "csv" && !rows.outputs.some(({ name }) => name === SCALAR))
    throw unknownColumn("_postgrest_t", SCALAR);
  const value = isObject ? {} : { value: `answered.${SCALAR}` };
  return finish(calling, answerSql(making, rows, { ...options, ...value, isOne: !callable.returnsSet }));
}

/** Returns the arguments by name, and the `from` that provides them. */
function argumentsSql(making: Making, callable: Callable, passedArgs: Given): { from: string; args: string } {
  const [only] = callable.args;
  if ("payload" in passedArgs && only && takesWholeBody(callable)) {
    return { from: "", args: `${making.values.bind(passedArgs.payload.text)}::${only.type.name}` };
  }
  const argumentSql = (arg: Argument, sql: string) => `${arg.variadic ? "variadic " : ""}${quote(arg.name)} := ${sql}`;
  if ("payload" in passedArgs) {
    const names = namesOf(passedArgs);
    const sentArgs = callable.args.filter((arg) => names.includes(arg.name));
    if (sentArgs.length === 0) return { from: "", args: "" };
    const text = making.values.bind(cleanText(passedArgs.payload, sentArgs, passedArgs.cleaners));
    const shape = sentArgs.map(({ name, type }) => `${quote(name)} ${type.name}`).join(", ");
    return {
      from: ` from json_to_record(${text}::json) as given(${shape})`,
      args: sentArgs.map((arg) => argumentSql(arg, `given.${quote(arg.name)}`)).join(", "),
    };
  }
  const args = callable.args.flatMap((arg) => {
    const values = passedArgs.pairs.filter(([name]) => name === arg.name).map(([, value]) => value);
    const last = values.at(-1);
    if (last === undefined) return [];
    const clean = arg.type.domain === null ? undefined : passedArgs.cleaners[arg.type.domain];
    if (isShortType(arg.type) && last.length > SHORT_VALUE_LENGTH) throw tooLong(`A value of ${arg.name}`);
    if (bracketDepth(last) > FILTER_DEPTH) throw tooMuch("levels of brackets in a value", FILTER_DEPTH);
    const value = arg.variadic ? arrayLiteral(values) : clean ? clean(last) : last;
    return [argumentSql(arg, `${making.values.bind(value)}::${arg.type.name}`)];
  });
  return { from: "", args: args.join(", ") };
}
