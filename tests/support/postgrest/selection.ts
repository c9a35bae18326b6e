import type { Random } from "../fuzz/random.ts";
import { TABLES, type TableWords, VALUES } from "./vocabulary.ts";

export type Pair = [name: string, value: string];

/** Counts the faults of one request, so that most requests have none, and most others one. */
export class Faults {
  count = 0;
  constructor(
    private readonly random: Random,
    private readonly most: number,
  ) {}

  /** Whether to make a fault here: once in so many times, while the request may have another. */
  once(times: number): boolean {
    if (this.count >= this.most || !this.random.once(times)) return false;
    this.count += 1;
    return true;
  }

  /** Counts a fault that another choice causes. */
  add(condition: boolean) {
    if (condition) this.count += 1;
  }
}

const OPERATORS = [
  "eq",
  "gt",
  "like",
  "match",
  "is",
  "isdistinct",
  "in",
  "fts",
  "phfts",
  "fts(english)",
  "cs",
  "ov",
  "sl",
  "adj",
  "like(any)",
  "gt(all)",
  "in(any)",
  "nothing",
  "is.x",
  "",
];
/** Operators that fit the values of a type. */
const FITTING: Record<string, string[]> = {
  int: ["eq", "neq", "gt", "gte", "lt", "lte", "in", "is", "isdistinct", "eq(any)", "lt(all)"],
  text: ["eq", "neq", "like", "ilike", "in", "is", "like(any)", "ilike(all)", "gt", "wfts", "plfts", "plfts(english)"],
  date: ["eq", "gt", "lt", "in", "is", "isdistinct"],
  jsonb: ["eq", "cs", "cd", "is"],
  "text[]": ["eq", "cs", "cd", "ov", "is"],
  mood: ["eq", "neq", "in", "gt", "is"],
  range: ["eq", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj"],
  bool: ["is", "eq", "neq"],
  uuid: ["eq", "neq", "in", "is"],
  numeric: ["eq", "gt", "lte", "in", "is", "isdistinct", "lt(any)"],
  timestamptz: ["eq", "gt", "lte", "in", "is", "neq"],
  tsvector: ["fts", "plfts", "phfts(english)", "wfts", "fts(simple)", "eq", "is"],
  "int[]": ["eq", "cs", "cd", "ov", "is", "gt"],
  "mood[]": ["eq", "cs", "ov", "is"],
  bytea: ["eq", "gt", "is"],
  char: ["eq", "neq", "in", "is", "like", "gt(any)"],
  inet: ["eq", "gt", "in", "is", "sl", "sr"],
  time: ["eq", "lt", "in", "is"],
  json: ["is"],
};
/** A name as selections and filters contain it, in quotes where it needs them or at times. */
export const named = (random: Random, name: string) =>
  /^[\p{L}_][\p{L}\d_]*( [\p{L}\d_]+)*$/u.test(name) && !random.once(25) ? name : `"${name}"`;

const PATHS = ["->city", "->>city", "->phones", "->phones->0", "->phones->0->>n", "->phones->-1->n", "->nothing"];
const WRONG_PATHS = ["->", "->>city->x", "->phones->"];
const CASTS = ["text", "varchar"];
const WRONG_CASTS = ["int", "date", "uuid"];

/** Makes the parts of a request that select rows of one table. */
export class Selection {
  /** The relations that the last list embeds. */
  private readonly embeds: { name: string; relation: string; isMany: boolean; isHinted: boolean; inside: Selection }[] =
    [];

  constructor(
    private readonly random: Random,
    private readonly vocabulary: TableWords,
    private readonly faults: Faults,
  ) {}

  private column(): string {
    return this.faults.once(40)
      ? this.random.pick(["nothing", "Name"])
      : this.random.pick(Object.keys(this.vocabulary.columns));
  }

  /** A column, and a path into it if it is JSON. */
  private field(): string {
    const { random, vocabulary } = this;
    const name = this.column();
    const paths = { jsonb: PATHS, json: PATHS, "text[]": ["->0", "->>0", "->-1"], "int[]": ["->0", "->>-1"] };
    const type = vocabulary.columns[name] as keyof typeof paths;
    return named(random, name) + (paths[type] && random.once(3) ? random.pick(paths[type]) : "");
  }

  private item(depth: number, names: Set<string>): string {
    const { random, vocabulary, faults } = this;
    if (depth < 3 && random.once(3)) {
      const embed = this.embed(depth, names);
      if (embed) return embed;
    }
    if (random.once(8)) return "*";
    const name = this.column();
    const alias = random.once(5) ? `${random.pick(["other", "a b", "x1", "id"])}:` : "";
    let path = "";
    const type = vocabulary.columns[name] ?? "";
    if (/^json/.test(type) && random.once(2)) path = random.pick(faults.once(12) ? WRONG_PATHS : PATHS);
    else if (/\[\]$/.test(type) && random.once(3)) path = random.pick(["->0", "->>0", "->-1"]);
    let cast = "";
    if (random.once(7)) cast = `::${random.pick(faults.once(6) ? WRONG_CASTS : CASTS)}`;
    return `${alias}${named(random, name)}${path}${cast}`;
  }

  private embed(depth: number, names: Set<string>): string | undefined {
    const { random, vocabulary, faults } = this;
    if (vocabulary.wrongEmbeds.length > 0 && faults.once(30)) return `${random.pick(vocabulary.wrongEmbeds)}(id)`;
    if (vocabulary.embeds.length === 0) return undefined;
    const [relation, table] = random.pick(vocabulary.embeds);
    const [name = ""] = relation.split("!");
    // A list of books has no order of its own, so it is not spread.
    const spread = /_id$/.test(name) && random.once(5) ? "..." : "";
    const alias = spread === "" && random.once(4) ? random.pick(["near", "far"]) : undefined;
    const output = alias ?? name;
    if (names.has(output) && !faults.once(8)) return undefined;
    names.add(output);
    const join = random.once(4) ? random.pick(["!inner", "!left"]) : "";
    const inside = new Selection(random, TABLES[table] as TableWords, faults);
    const list = inside.list(depth + 1);
    const isMany = !/_id(_number_fkey)?$/.test(name) && !["authors", "passports"].includes(name);
    this.embeds.push({ name: output, relation: name, isMany, isHinted: relation.includes("!"), inside });
    const isEmpty = inside.embeds.length === 0 && spread === "" && random.once(12);
    return `${spread}${alias ? `${alias}:` : ""}${relation}${join}(${isEmpty ? "" : list})`;
  }

  list(depth = 0): string {
    const names = new Set<string>();
    return [this.item(depth, names), ...this.random.some(2, () => this.item(depth, names))].join(",");
  }

  /** A field and its test. */
  private test(isInGroup: boolean): Pair {
    const { random, vocabulary, faults } = this;
    const name = this.column();
    const type = vocabulary.columns[name] ?? "text";
    const path =
      /^json/.test(type) && random.once(2)
        ? random.pick(faults.once(12) ? WRONG_PATHS : ["->>city", "->phones->0->>n", "->city", "->phones"])
        : "";
    const read = path === "" ? type : path.includes("->>") ? "text" : "jsonb";
    const operator = random.pick(faults.once(20) ? OPERATORS : (FITTING[read] ?? []));
    const { right, wrong } = VALUES[/fts/.test(operator) ? "tsquery" : read] ?? { right: [], wrong: [] };
    const value = () => random.pick(wrong.length > 0 && faults.once(20) ? wrong : right);
    const quoted = (text: string) =>
      /[,(){}"\\ ]/.test(text) || text === "" || random.once(8) ? `"${text.replace(/["\\]/g, "\\$&")}"` : text;
    const list = (open: string, close: string) =>
      `${open}${[value(), ...random.some(2, value)].map(quoted).join(",")}${close}`;
    let operand: string;
    if (operator.startsWith("in")) operand = faults.once(12) ? value() : list(random.once(15) ? "( " : "(", ")");
    else if (operator.includes("(a")) operand = faults.once(12) ? "x" : list("{", "}");
    else if (operator === "is") {
      const isBool = type === "bool" && path === "";
      operand = random.pick(
        faults.once(12)
          ? ["maybe", "nul", ""]
          : isBool
            ? ["null", "true", "false", "unknown", "NULL"]
            : ["null", "not_null"],
      );
    } else operand = isInGroup ? quoted(value()) : value();
    return [`${named(random, name)}${path}`, `${random.once(6) ? "not." : ""}${operator}.${operand}`];
  }

  private group(depth: number): string {
    const { random, faults } = this;
    const part = (): string => {
      if (depth < 2 && random.once(4))
        return `${random.pick(["and", "or", "not.and", "not.or"])}${this.group(depth + 1)}`;
      return this.test(true).join(".");
    };
    return `(${[part(), ...random.some(2, part)].join(",")}${faults.once(30) ? "" : ")"}`;
  }

  filters(): Pair[] {
    const { random } = this;
    return random.some(
      2,
      (): Pair =>
        random.once(5) ? [random.pick(["and", "or", "not.and", "not.or"]), this.group(0)] : this.test(false),
    );
  }

  /** An order that ends with the key, so that rows have one order only. */
  order(): string {
    const { random, vocabulary, faults } = this;
    const term = () =>
      `${this.field()}${random.pick(["", ".asc", ".desc"])}${random.pick(["", "", ".nullsfirst", ".nullslast"])}` +
      (faults.once(30) ? random.pick([".up", ".nullsfirst.desc", ","]) : "");
    return [...random.some(1, term), ...(vocabulary.order ?? vocabulary.key)].join(",");
  }

  /** Parameters of one of the relations that the last list embeds. */
  embedded(): Pair[] {
    const { random, vocabulary, faults } = this;
    if (this.embeds.length === 0 || !random.once(2)) return [];
    const { name, isMany, isHinted, inside } = random.pick(this.embeds);
    const used = faults.once(20) ? "elsewhere" : name;
    // Then the name means the first relation of that name, even if it has an alias.
    faults.add(this.embeds.some((other) => other.relation === name && other.name !== name));
    const pairs = [...inside.filters(), ...inside.embedded()].map(
      ([key, value]): Pair =>
        // The negation of a group is before the relation or after it.
        [key.startsWith("not.") && random.once(2) ? `not.${used}.${key.slice(4)}` : `${used}.${key}`, value],
    );
    if (isMany && random.once(2)) {
      pairs.push([`${used}.limit`, random.pick(["1", "0", "2"])], [`${used}.order`, inside.order()]);
      if (random.once(4)) pairs.push([`${used}.offset`, "1"]);
    }
    if (random.once(6)) pairs.push([name, random.pick(faults.once(8) ? ["eq.1"] : ["is.null", "not.is.null"])]);
    if (!isMany && !isHinted && random.once(4)) {
      const by = `${name}(${inside.field()})${random.pick(["", ".desc", ".nullsfirst"])}`;
      pairs.push(["order", [by, ...(vocabulary.order ?? vocabulary.key)].join(",")]);
    }
    return pairs;
  }

  /** All parameters of a read. */
  pairs(): Pair[] {
    const { random, faults } = this;
    const select = random.once(5) ? undefined : this.list();
    const pairs: Pair[] = select === undefined ? [] : [["select", select]];
    pairs.push(...this.filters());
    pairs.push(...this.embedded());
    if (!pairs.some(([name]) => name === "order")) pairs.push(["order", this.order()]);
    // The first one applies.
    if (random.once(30)) pairs.push(["order", this.order()]);
    const number = (wrong: string[]) => random.pick(faults.once(8) ? wrong : ["0", "1", "2", "50"]);
    const limit = random.once(4) ? number(["-1", "x", ""]) : undefined;
    const offset = random.once(6) ? number(["-1", "x", ""]) : undefined;
    if (limit !== undefined) pairs.push(["limit", limit]);
    if (offset !== undefined) pairs.push(["offset", offset]);
    faults.add(limit === "0" && Number(offset) > 0);
    return pairs;
  }
}
