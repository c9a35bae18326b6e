import { mutate, type Random } from "../fuzz/random.ts";
import { FUNCTIONS, RECORDS } from "./function-words.ts";
import { Faults, named, type Pair, Selection } from "./selection.ts";
import type { Exchange } from "./send.ts";
import { TABLES, type TableWords } from "./vocabulary.ts";

const ACCEPTS = [
  "application/json",
  "*/*",
  "application/vnd.pgrst.object+json",
  "application/vnd.pgrst.object",
  "text/csv",
  "application/vnd.pgrst.array+json;nulls=stripped",
  "application/vnd.pgrst.object+json;nulls=stripped",
  "application/json, text/csv",
  "text/html, */*",
  "application/vnd.pgrst.array+json",
  "application/json; charset=utf-8",
  "application/json;q=0.5, text/csv",
  "text/csv;q=0.1, application/json",
];
const WRONG_ACCEPTS = ["text/html", "text/plain", "application/octet-stream", "image/png, text/*", "application/*"];
const READ_PREFERENCES = [
  "count=exact",
  "count=exact",
  "count=exact, handling=strict",
  "handling=lenient, count=exact",
  "nothing=1",
  "count=exact, count=exact",
  "return=representation",
  "return=minimal",
  "return=headers-only, count=exact",
  "count=nothing",
  "count=planned",
  "count=estimated, handling=strict",
  "timezone=Europe/Rome",
  "handling=strict",
];
const WRITE_PREFERENCES = [
  "return=representation",
  "return=minimal",
  "return=headers-only",
  "return=representation, count=exact",
  "resolution=merge-duplicates",
  "resolution=ignore-duplicates",
  "missing=default",
  "return=nothing",
  "resolution=merge-duplicates, return=representation",
  "resolution=ignore-duplicates, return=representation",
  "missing=default, return=representation",
  "return=headers-only, resolution=merge-duplicates",
  "count=exact",
  "return=representation, missing=null",
  "return=minimal, count=exact, resolution=merge-duplicates",
  "handling=strict, return=representation",
  "return=minimal, return=representation",
  "handling=strict, max-affected=9",
  "handling=strict, max-affected=1, return=representation",
];
const STRICT = "handling=strict, nothing=1";
const RANGES = ["0-0", "0-1", "1-2", "1-", "0-", "-1", "x-y", "items=0-1"];
const WRONG_RANGES = ["3-1", "9-2", "99999999999999999999-"];
const CALLERS = ["visitor", "ada", "bob"];

/** Functions that change rows. */
const CHANGING = ["forget", "add_tag"];

/** A request with its caller, and the number of faults in it. */
export interface GeneratedRequest extends Exchange {
  caller: string;
  faults: number;
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/%(2C|28|29|3A|21|22|2A)/g, (code) => decodeURIComponent(code));

const pathOf = (name: string, pairs: Pair[]) =>
  `/${encodeURI(name)}${pairs.length > 0 ? `?${pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join("&")}` : ""}`;

/** Half of the requests have no fault, and a tenth has several. */
const faultsOf = (random: Random) => new Faults(random, random.once(2) ? 0 : random.once(5) ? 3 : 1);

/** A caller for whom a request works, unless it is a fault. */
function callerBeside(random: Random, faults: Faults, refused: readonly string[] = []): string {
  const others = CALLERS.filter((one) => !refused.includes(one));
  const caller = random.pick(others.length === 0 || faults.once(8) ? CALLERS : others);
  faults.add(others.length === 0);
  return caller;
}

function readHeaders(random: Random, faults: Faults): Record<string, string> {
  return {
    ...(random.once(3) ? { accept: random.pick(faults.once(8) ? WRONG_ACCEPTS : ACCEPTS) } : {}),
    ...(random.once(3) ? { prefer: faults.once(10) ? STRICT : random.pick(READ_PREFERENCES) } : {}),
    ...(random.once(6) ? { range: random.pick(faults.once(6) ? WRONG_RANGES : RANGES), "range-unit": "items" } : {}),
  };
}

/** A request that reads rows of a table, or of a table that does not exist. */
export function readRequest(random: Random): GeneratedRequest {
  const faults = faultsOf(random);
  const name = faults.once(40) ? "nothing" : random.pick(Object.keys(TABLES));
  const tableWords = TABLES[name] ?? (TABLES.tags as TableWords);
  const caller = callerBeside(random, faults, tableWords.unreadable);
  const path = pathOf(name, new Selection(random, tableWords, faults).pairs());
  const isMutated = faults.once(12);
  return {
    method: random.once(8) ? "HEAD" : "GET",
    path: isMutated ? mutatedPath(random, path) : path,
    headers: readHeaders(random, faults),
    caller,
    // A mutation can be several faults.
    faults: faults.count + (isMutated ? 1 : 0),
  };
}

/** A path with other characters in its parameters, which remain valid in a URL. A `#` would end it. */
const mutatedPath = (random: Random, path: string): string => {
  const [name = "", query = ""] = path.split("?");
  const mutated = mutate(random, query)
    .replace(/%00|[\0#\s]|[^\x20-\x7e]/g, "")
    .replace(/%(?![0-9a-f]{2})/gi, "%25");
  try {
    decodeURIComponent(mutated);
  } catch {
    return path;
  }
  return `${name}?${mutated}`;
};

const textOf = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** A call of a function. */
export function callRequest(random: Random, mayChange = false): GeneratedRequest {
  const faults = faultsOf(random);
  const name = random.pick(Object.keys(FUNCTIONS).filter((one) => mayChange || !CHANGING.includes(one)));
  const { args, wrongArgs, rows, refused } = FUNCTIONS[name] ?? { args: [], wrongArgs: [] };
  const isWrong = args.length === 0 || (wrongArgs.length > 0 && faults.once(4));
  faults.add(args.length === 0);
  const chosenArgs = random.pick(isWrong ? wrongArgs : args);
  const tableWords = TABLES[rows ?? ""] ?? RECORDS[rows ?? "value"];
  const selects = rows !== undefined ? random.once(2) : faults.once(6);
  // The column of a value has another type than the words say.
  faults.add(selects && rows === undefined);
  const pairs = selects ? new Selection(random, tableWords as TableWords, faults).pairs() : [];
  const caller = callerBeside(random, faults, refused);
  const headers = readHeaders(random, faults);
  if (random.once(3) && (!CHANGING.includes(name) || faults.once(2))) {
    const values = Object.entries(chosenArgs).map(
      ([key, value]): Pair => [key, Array.isArray(value) ? `{${value.join(",")}}` : textOf(value)],
    );
    faults.add(Object.values(chosenArgs).some((value) => value === null || Array.isArray(value)));
    const method = random.once(5) ? "HEAD" : "GET";
    // Only a body can be its argument.
    faults.add(name === "echo");
    return { method, path: pathOf(`rpc/${name}`, [...values, ...pairs]), headers, caller, faults: faults.count };
  }
  const isBroken = faults.once(15);
  const body = isBroken ? random.pick(["[]", "{", "1", "[{}]", "null"]) : JSON.stringify(chosenArgs);
  headers["content-type"] = "application/json";
  if (!isBroken && Object.keys(chosenArgs).length > 0 && random.once(8))
    pairs.push(["columns", Object.keys(chosenArgs).join(",")]);
  return { method: "POST", path: pathOf(`rpc/${name}`, pairs), headers, body, caller, faults: faults.count };
}

/** A request that changes rows of a table. */
export function writeRequest(random: Random): GeneratedRequest {
  const faults = faultsOf(random);
  const name = random.pick(Object.keys(TABLES));
  const tableWords = TABLES[name] as TableWords;
  const caller = callerBeside(random, faults, tableWords.unwritable);
  const selection = new Selection(random, tableWords, faults);
  const method = random.pick(["POST", "POST", "PATCH", "DELETE", "PUT"]);
  const pairs: Pair[] = random.once(3)
    ? [["select", selection.list()], ...(method === "PUT" ? [] : selection.embedded())]
    : [];
  const row = () => random.pick(faults.once(4) ? tableWords.wrongRows : tableWords.rows);
  const first = row();
  let body: unknown = first;
  faults.add(method === "PUT" && tableWords.key.length === 0);
  const [key = ""] = tableWords.order ?? tableWords.key;
  if (method === "POST") {
    if (random.once(3)) {
      const second = row();
      faults.add(Object.keys(first).join() !== Object.keys(second).join());
      body = [first, second];
    }
    if (random.once(10)) body = [];
    if (random.once(8))
      pairs.push([
        "columns",
        Object.keys(first)
          .map((one) => named(random, one))
          .concat(faults.once(3) ? ["nothing"] : [])
          .join(","),
      ]);
    if (random.once(6)) {
      pairs.push(["on_conflict", faults.once(4) ? random.pick(["title", "nothing"]) : tableWords.key.join(",")]);
      faults.add(tableWords.key.length === 0);
    }
  } else if (method === "PUT") {
    const whole: Record<string, unknown> = { ...Object.fromEntries(tableWords.key.map((one) => [one, 1])), ...first };
    for (const one of tableWords.key) if (!faults.once(8)) pairs.push([one, `eq.${faults.once(10) ? 77 : whole[one]}`]);
    body = faults.once(10) ? first : whole;
    if (faults.once(12)) pairs.push(["limit", "1"]);
    // It writes the whole row in any case.
    if (random.once(12)) pairs.push(["columns", tableWords.key.join(",")]);
  } else {
    pairs.push(...selection.filters());
    if (!faults.once(10)) pairs.push([key, `gt.${random.pick([0, 1, 2, 99])}`]);
    if (random.once(6)) pairs.push(["order", selection.order()]);
    if (faults.once(12)) pairs.push(["limit", "1"], ["order", key]);
    if (method === "PATCH" && random.once(12)) body = {};
    if (method === "PATCH" && faults.once(12)) body = [first, row()];
  }
  const hasBody = method !== "DELETE";
  const text = hasBody && faults.once(12) ? random.pick(["", "{", "1", "null", '"x"', "[1]"]) : JSON.stringify(body);
  const isTyped = hasBody && !faults.once(25);
  const preference = faults.once(20)
    ? STRICT
    : random.once(2)
      ? random.pick(WRITE_PREFERENCES)
      : "return=representation";
  return {
    method,
    path: pathOf(name, pairs),
    headers: {
      ...(random.once(6) ? { accept: random.pick(faults.once(8) ? WRONG_ACCEPTS : ACCEPTS) } : {}),
      prefer: preference,
      ...(random.once(10) ? { range: random.pick(RANGES) } : {}),
      ...(hasBody ? { "content-type": isTyped ? "application/json" : "text/csv" } : {}),
    },
    ...(hasBody ? { body: text } : {}),
    caller,
    faults: faults.count,
  };
}
