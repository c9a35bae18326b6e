import type { Table } from "./catalogue.ts";
import { RestError } from "./errors.ts";
import { type EmbedItem, embedName, type Field } from "./query.ts";
import { checkColumn, checkTable } from "./readable.ts";
import type { Relationship } from "./relationships.ts";
import { inPublic, type Making, quote } from "./sql.ts";

/** One column of the response: its name, and its SQL. */
export interface Output {
  name: string;
  sql: string;
}

/** A relation in `from`. */
export interface Source {
  table: Table;
  /** The table, or the name of a `with` query whose rows have the table's shape. */
  sql: string;
  /** Whether the rows already contain computed columns, as the rows of a write do. */
  holdsComputed?: boolean;
  /** Whether they are the rows that a function returns, for which the caller needs no right to the table. */
  ofFunction?: boolean;
  /** The condition that joins the rows, under their own alias, to their parent row. */
  tie?: (alias: string) => { joins: string[]; conditions: string[] };
}

export interface Related {
  readonly making: Making;
  readonly outputs: Output[];
  /** `from … where …`. `isWhole` leaves out the limits and offsets of the relations embedded in it. */
  body(isWhole?: boolean): string;
  select(options: { most?: number; plainNames?: boolean; isWhole?: boolean }): string;
  field(field: Field): string;
  /** `limit … offset …`, if the query has them. */
  page(most?: number): string;
}

/** Returns the source of the rows related to the row that the statement calls `parent`. */
export function relatedSource(making: Making, relationship: Relationship, parent: string): Source {
  const { junction, target, pairs } = relationship;
  const check = (table: Table, column: string) => checkColumn(table, column, making.reader);
  if (junction) checkTable(junction.table, making.reader);
  for (const [, column] of pairs) check(junction?.table ?? target, column);
  for (const [near, far] of junction?.pairs ?? []) {
    check(junction?.table ?? target, near);
    check(target, far);
  }
  const equal = (a: string, aColumn: string, b: string, bColumn: string) =>
    `${a}.${quote(aColumn)} = ${b}.${quote(bColumn)}`;
  return {
    table: target,
    sql: inPublic(target.name),
    tie(alias) {
      const near = junction ? making.alias("j") : alias;
      const conditions = pairs.map(([source, other]) => equal(near, other, parent, source));
      if (!junction) return { joins: [], conditions };
      const on = junction.pairs.map(([column, referenced]) => equal(near, column, alias, referenced)).join(" and ");
      return { joins: [`join ${inPublic(junction.table.name)} as ${near} on ${on}`], conditions };
    },
  };
}

/** A related table, read by a lateral join in the caller's own statement, so that its row policies apply. */
export class Embed {
  readonly outputs: Output[];
  private readonly alias: string;
  private readonly exposed: string[] = [];
  private usesFound = false;

  constructor(
    private readonly item: EmbedItem,
    private readonly toOne: boolean,
    private readonly rows: Related,
    /** The name of the table that embeds it. */
    private readonly parent: string,
  ) {
    const alias = rows.making.alias("e");
    this.alias = alias;
    if (item.spread) this.outputs = rows.outputs.map(({ name }, place) => ({ name, sql: `${alias}.c${place}` }));
    else this.outputs = rows.outputs.length > 0 ? [{ name: embedName(item), sql: `${alias}.body` }] : [];
  }

  /** SQL that is true if there are related rows. */
  get found(): string {
    this.usesFound = true;
    return `coalesce(${this.alias}.found, 0) > 0`;
  }

  /** Whether the embed filters its parent rows, by `!inner` or because a condition uses `found`. */
  get decides(): boolean {
    return this.usesFound || this.item.inner;
  }

  /** Whether its parent rows are ordered by it. */
  get orders(): boolean {
    return this.exposed.length > 0;
  }

  /** Returns SQL for a field of the related row, to order by. */
  expose(field: Field): string {
    if (!this.toOne) {
      throw new RestError(
        400,
        "PGRST118",
        `A related order on '${embedName(this.item)}' is not possible`,
        `'${this.parent}' and '${embedName(this.item)}' do not form a many-to-one or one-to-one relationship`,
      );
    }
    this.exposed.push(this.rows.field(field));
    return `${this.alias}.o${this.exposed.length - 1}`;
  }

  /** The join. `isWhole` leaves out the limits and offsets of related rows at every level, as a count of the parents does. */
  join(isWhole = false): string {
    const related = this.toOne ? this.one(isWhole) : this.many(isWhole);
    return this.item.inner
      ? `join lateral (${related}) as ${this.alias} on ${this.alias}.found > 0`
      : `left join lateral (${related}) as ${this.alias} on true`;
  }

  private one(isWhole: boolean): string {
    const { outputs } = this.rows;
    const columns = outputs.map(({ name, sql }) => `${sql} as ${quote(name)}`).join(", ");
    const list = [
      "1 as found",
      ...(this.item.spread
        ? outputs.map(({ sql }, place) => `${sql} as c${place}`)
        : outputs.length > 0
          ? [`(select row_to_json(one.*) from (select ${columns}) as one) as body`]
          : []),
      ...this.exposed.map((sql, place) => `${sql} as o${place}`),
    ];
    return `select ${list.join(", ")} ${this.rows.body(isWhole)}${isWhole ? "" : this.rows.page()}`;
  }

  private many(isWhole: boolean): string {
    const { outputs, making } = this.rows;
    const list = [
      "count(*) as found",
      ...(this.item.spread
        ? outputs.map((_, place) => `coalesce(json_agg(many.c${place}), '[]') as c${place}`)
        : outputs.length > 0
          ? ["coalesce(json_agg(many.*), '[]') as body"]
          : []),
    ];
    const rows = this.rows.select({ most: making.maxRows, plainNames: this.item.spread, isWhole });
    return `select ${list.join(", ")} from (${rows}) as many`;
  }
}
