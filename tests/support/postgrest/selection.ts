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
};
const PATHS = ["->city", "->>city", "->phones", "->phones->0", "->phones->0->>n", "->phones->-1->n", "->nothing"];
const WRONG_PATHS = ["->", "->>city->x", "->phones->"];
const CASTS = ["text", "varchar"];
const WRONG_CASTS = ["int", "date", "uuid"];

/** Makes the parts of a request that select rows of one table. */
export class Selection {
  constructor(
    private readonly random: Random,
    private readonly words: TableWords,
    private readonly faults: Faults,
  ) {}

  private column(): string {
    return this.faults.once(40)
      ? this.random.pick(["nothing", "Name"])
      : this.random.pick(Object.keys(this.words.columns));
  }

  private item(depth: number, names: Set<string>): string {
    const { random, words, faults } = this;
    if (depth < 3 && random.once(3)) {
      const embed = this.embed(depth, names);
      if (embed) return embed;
    }
    if (random.once(8)) return "*";
    const name = this.column();
    const alias = random.once(5) ? `${random.pick(["other", "a b", "x1", "id"])}:` : "";
    let path = "";
    if (words.columns[name] === "jsonb" && random.once(2)) path = random.pick(faults.once(12) ? WRONG_PATHS : PATHS);
    let cast = "";
    if (random.once(7)) cast = `::${random.pick(faults.once(6) ? WRONG_CASTS : CASTS)}`;
    return `${alias}${name}${path}${cast}`;
  }

  private embed(depth: number, names: Set<string>): string | undefined {
    const { random, words, faults } = this;
    if (words.wrongEmbeds.length > 0 && faults.once(30)) return `${random.pick(words.wrongEmbeds)}(id)`;
    if (words.embeds.length === 0) return undefined;
    const [relation, table] = random.pick(words.embeds);
    const [name = ""] = relation.split("!");
    // A list of books has no order of its own, so it is not spread.
    const spread = /_id$/.test(name) && random.once(5) ? "..." : "";
    const alias = spread === "" && random.once(4) ? random.pick(["near", "far"]) : undefined;
    const output = alias ?? name;
    if (names.has(output) && !faults.once(8)) return undefined;
    names.add(output);
    const join = random.once(4) ? random.pick(["!inner", "!left"]) : "";
    const inside = new Selection(random, TABLES[table] as TableWords, faults).list(depth + 1);
    return `${spread}${alias ? `${alias}:` : ""}${relation}${join}(${spread === "" && random.once(12) ? "" : inside})`;
  }

  list(depth = 0): string {
    const names = new Set<string>();
    return [this.item(depth, names), ...this.random.some(2, () => this.item(depth, names))].join(",");
  }

  /** A field and its test. */
  private test(isInGroup: boolean): Pair {
    const { random, words, faults } = this;
    const name = this.column();
    const type = words.columns[name] ?? "text";
    const path =
      type === "jsonb" && random.once(2)
        ? random.pick(faults.once(12) ? WRONG_PATHS : ["->>city", "->phones->0->>n"])
        : "";
    const { right, wrong } = VALUES[path ? "text" : type] ?? { right: [], wrong: [] };
    const operator = random.pick(faults.once(20) ? OPERATORS : (FITTING[path ? "text" : type] ?? []));
    const value = () => random.pick(wrong.length > 0 && faults.once(20) ? wrong : right);
    const quoted = (text: string) =>
      /[,(){}"\\ ]/.test(text) || text === "" || random.once(8) ? `"${text.replace(/["\\]/g, "\\$&")}"` : text;
    const list = (open: string, close: string) =>
      `${open}${[value(), ...random.some(2, value)].map(quoted).join(",")}${close}`;
    let operand: string;
    if (operator.startsWith("in")) operand = faults.once(12) ? value() : list("(", ")");
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
    return [`${name}${path}`, `${random.once(6) ? "not." : ""}${operator}.${operand}`];
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
    const { random, words, faults } = this;
    const term = () =>
      `${this.column()}${random.pick(["", ".asc", ".desc"])}${random.pick(["", "", ".nullsfirst", ".nullslast"])}` +
      (faults.once(30) ? random.pick([".up", ".nullsfirst.desc", ","]) : "");
    return [...random.some(1, term), ...words.key].join(",");
  }

  /** Parameters of an embedded relation that `select` names. */
  private embedded(select: string): Pair[] {
    const { random, words, faults } = this;
    // Only relations of the first level.
    const flat = select.replace(/\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)/g, "()");
    const matches = [...flat.matchAll(/(?:^|,)(?:([\w ]+):)?(\w+)((?:!\w+)*)\(/g)];
    if (matches.length === 0 || !random.once(2)) return [];
    const [, alias, relation = "", hint = ""] = random.pick(matches);
    const name = alias ?? relation;
    const table = words.embeds.find(([one]) => one.split("!")[0] === relation)?.[1];
    if (table === undefined) return [];
    const inside = new Selection(random, TABLES[table] as TableWords, faults);
    const isMany = !/_id$/.test(relation) && !["authors", "passports"].includes(relation);
    const used = faults.once(20) ? "elsewhere" : name;
    const pairs = inside.filters().map(([key, value]): Pair => [`${used}.${key}`, value]);
    if (isMany && random.once(2)) pairs.push([`${used}.limit`, "1"], [`${used}.order`, inside.order()]);
    if (random.once(6)) pairs.push([name, random.pick(faults.once(8) ? ["eq.1"] : ["is.null", "not.is.null"])]);
    if (!isMany && hint === "" && random.once(4))
      pairs.push([
        "order",
        `${name}(${random.pick(Object.keys((TABLES[table] as TableWords).columns))}),${words.key.join(",")}`,
      ]);
    return pairs;
  }

  /** All parameters of a read. */
  pairs(): Pair[] {
    const { random, faults } = this;
    const select = random.once(5) ? undefined : this.list();
    const pairs: Pair[] = select === undefined ? [] : [["select", select]];
    pairs.push(...this.filters());
    if (select !== undefined) pairs.push(...this.embedded(select));
    if (!pairs.some(([name]) => name === "order")) pairs.push(["order", this.order()]);
    const number = (wrong: string[]) => random.pick(faults.once(8) ? wrong : ["0", "1", "2", "50"]);
    if (random.once(4)) pairs.push(["limit", number(["-1", "x", ""])]);
    if (random.once(6)) pairs.push(["offset", number(["-1", "x", ""])]);
    return pairs;
  }
}
