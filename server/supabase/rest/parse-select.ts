import { JSON_PATH_STEPS } from "../bounds.ts";
import { notSupported, tooMuch } from "./errors.ts";
import { type EmbedItem, emptyQuery, type Field, type SelectItem } from "./query.ts";
import { Reader } from "./reader.ts";

const MOST_ITEMS = 300;
const DEEPEST = 8;
const AGGREGATE = /\.(?:avg|count|max|min|sum)\(\)/y;

/** Reads `select`: columns, JSON paths, casts, counts and embedded relations. Empty means all columns. */
export function parseSelect(text: string): SelectItem[] {
  if (text.trim() === "") return [{ kind: "star" }];
  const reader = new Reader(text);
  let read = 0;

  const items = (depth: number): SelectItem[] => {
    if (depth > DEEPEST) throw tooMuch("levels of embedding", DEEPEST);
    return reader.list(() => {
      read += 1;
      if (read > MOST_ITEMS) throw tooMuch("selected items", MOST_ITEMS);
      return item(depth);
    });
  };

  const item = (depth: number): SelectItem => {
    if (reader.eat("*")) return { kind: "star" };
    const spread = reader.eat("...");
    let name = reader.name("a column, a relation or *");
    let alias: string | undefined;
    if (!spread && reader.sees(":") && !reader.sees("::")) {
      reader.expect(":");
      alias = name;
      name = reader.name("a column or a relation");
    }
    if (!spread && name === "count" && reader.eat("()")) {
      if (reader.sees("::")) throw notSupported("This server does not offer casts of a count.");
      return { kind: "count", alias };
    }
    if (spread || reader.sees("!") || reader.sees("(")) return embed(name, alias, spread, depth);
    const field: Field = { name, path: parsePath(reader) };
    const cast = reader.eat("::") ? reader.name("a type") : undefined;
    if (reader.match(AGGREGATE)) throw notSupported("This server offers no aggregates except count() of rows.");
    return { kind: "column", field, alias, cast };
  };

  const embed = (relation: string, alias: string | undefined, spread: boolean, depth: number): EmbedItem => {
    let hint: string | undefined;
    let inner = false;
    for (let count = 0; count < 2 && reader.eat("!"); count += 1) {
      const word = reader.name("inner, left or a hint");
      if (word === "inner") inner = true;
      else if (word !== "left") hint ??= word;
    }
    reader.expect("(");
    const within = reader.sees(")") ? [] : items(depth + 1);
    reader.expect(")");
    return { kind: "embed", relation, alias, hint, inner, spread, query: emptyQuery(within) };
  };

  const whole = items(0);
  reader.end();
  return whole;
}

/** Parses the `->` and `->>` steps that may follow a column's name. */
export function parsePath(reader: Reader): Field["path"] {
  const path: Field["path"] = [];
  while (reader.sees("->")) {
    reader.expect("->");
    if (path.length >= JSON_PATH_STEPS) throw tooMuch("steps into JSON", JSON_PATH_STEPS);
    const asText = reader.eat(">");
    const index = reader.match(/-?\d+(?![\p{L}\p{N}_$ ])/uy);
    path.push({ key: index ?? reader.name("a key"), index: index !== undefined, asText });
    if (asText) break;
  }
  return path;
}
