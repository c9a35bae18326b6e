import type { Table } from "./catalogue.ts";
import { Embed, type Output, type Related, relatedSource, type Source } from "./embed-sql.ts";
import { embeddedTwice, notEmbedded, notSupported, ungrouped } from "./errors.ts";
import { columnSql, conditionSql, fieldSql, type Scope } from "./filter-sql.ts";
import {
  type ColumnItem,
  type EmbedItem,
  embedName,
  type Field,
  type OrderTerm,
  type Query,
  type SelectItem,
} from "./query.ts";
import { checkTable, isReadable } from "./readable.ts";
import { findRelationship } from "./relationships.ts";
import { type Making, quote } from "./sql.ts";

/** A query of one relation in parts, for rows and for counts. */
export class Rows implements Related {
  readonly outputs: Output[] = [];
  /** The columns of the source that the query uses. */
  readonly used = new Set<string>();
  private readonly alias: string;
  private readonly scope: Scope;
  private readonly embeds = new Map<string, Embed>();
  private readonly joins: string[];
  private readonly conditions: string[];
  private readonly order: string[];
  private groups: string[] = [];
  private counts = false;

  constructor(
    readonly making: Making,
    private readonly source: Source,
    private readonly query: Query,
  ) {
    this.alias = making.alias("t");
    if (!source.ofFunction) checkTable(source.table, making.reader);
    this.scope = {
      table: source.table,
      alias: this.alias,
      values: making.values,
      reader: making.reader,
      used: this.used,
      holdsComputed: source.holdsComputed,
      embedFound: (name) => this.embeds.get(name)?.found,
    };
    this.readItems();
    const tie = source.tie?.(this.alias);
    this.joins = tie?.joins ?? [];
    this.conditions = [
      ...(tie?.conditions ?? []),
      ...query.conditions.map((condition) => conditionSql(this.scope, condition)),
    ];
    this.order = query.order.map((term) => this.orderSql(term));
  }

  /** Refuses an order of counted groups by a column that differs within a group. */
  private checkGrouped(column: string, sql: string) {
    const { primary, name } = this.source.table;
    // A whole key determines the other columns.
    const isWhole = primary.length > 0 && primary.every((one) => this.groups.includes(`${this.alias}.${quote(one)}`));
    if (!isWhole && !this.groups.includes(sql)) throw ungrouped(name, column);
  }

  private readItems() {
    const { table } = this.source;
    // The columns of embedded relations are after those of the table.
    const isEmbed = ({ kind }: SelectItem) => kind === "embed";
    const items = [...this.query.items.filter((item) => !isEmbed(item)), ...this.query.items.filter(isEmbed)];
    for (const item of items) {
      if (item.kind === "star") {
        for (const column of table.columns.values()) {
          if (!isReadable(column, this.making.reader)) continue;
          this.outputs.push({ name: column.name, sql: columnSql(this.scope, column.name).sql });
        }
      } else if (item.kind === "embed") {
        this.outputs.push(...this.embed(item).outputs);
      } else if (item.kind === "count" || isCount(table, item)) {
        this.counts = true;
        this.outputs.push({ name: item.alias ?? "count", sql: COUNT });
      } else {
        this.outputs.push(columnOutput(this.scope, item));
      }
    }
    if (!this.counts) return;
    this.groups = this.outputs.map(({ sql }) => sql).filter((sql) => sql !== COUNT);
    if (this.embeds.size > 0) {
      throw notSupported("This server offers a count beside columns only, not beside embedded relations.");
    }
  }

  private embed(item: EmbedItem): Embed {
    const name = embedName(item);
    if (this.embeds.has(name)) throw embeddedTwice(name);
    const relationship = findRelationship(this.making.catalogue, this.source.table, item);
    for (const [column] of relationship.pairs) columnSql(this.scope, column);
    const source = relatedSource(this.making, relationship, this.alias);
    const embed = new Embed(
      item,
      relationship.toOne,
      new Rows(this.making, source, item.query),
      this.source.table.name,
    );
    this.embeds.set(name, embed);
    return embed;
  }

  private orderSql(term: OrderTerm): string {
    const { relation, field, descending, nulls } = term;
    let by: string;
    if (relation === undefined) {
      by = this.field(field);
      if (this.counts) this.checkGrouped(field.name, by);
    } else {
      const embed = this.embeds.get(relation);
      if (!embed) throw notEmbedded(relation);
      by = embed.expose(field);
    }
    return `${by}${descending ? " desc" : ""}${nulls ? ` nulls ${nulls}` : ""}`;
  }

  field(field: Field): string {
    return fieldSql(this.scope, field).sql;
  }

  /** `from … where …`: all rows that match, with every embedded relation beside each. */
  body(isWhole = false): string {
    return this.from([...this.embeds.values()], isWhole);
  }

  private from(embeds: Embed[], isWhole = false): string {
    return [
      `from ${this.source.sql} as ${this.alias}`,
      ...this.joins,
      ...embeds.map((embed) => embed.join(isWhole)),
      ...(this.conditions.length > 0 ? [`where ${this.conditions.map((one) => `(${one})`).join(" and ")}`] : []),
    ].join(" ");
  }

  private get grouping(): string {
    return this.groups.length > 0 ? ` group by ${this.groups.join(", ")}` : "";
  }

  /** Returns the whole select, of at most `most` rows. `plainNames` names its columns c0, c1 … for use by other SQL. */
  select(options: { most?: number; plainNames?: boolean; isWhole?: boolean } = {}): string {
    const list = this.outputs.map(
      ({ name, sql }, place) => `${sql} as ${options.plainNames ? `c${place}` : quote(name)}`,
    );
    const order = this.order.length > 0 ? ` order by ${this.order.join(", ")}` : "";
    const page = options.isWhole ? "" : this.page(options.most);
    if (page !== "" && this.hasIndependentEmbeds) {
      return `select ${list.join(", ")} ${this.fromPage(`${order}${page}`)}${order}`;
    }
    return `select ${list.join(", ")} ${this.body(options.isWhole)}${this.grouping}${order}${page}`;
  }

  page(most = Number.POSITIVE_INFINITY): string {
    const { limit = Number.POSITIVE_INFINITY, offset } = this.query;
    const rows = Math.min(limit, most);
    return `${Number.isFinite(rows) ? ` limit ${rows}` : ""}${offset > 0 ? ` offset ${offset}` : ""}`;
  }

  /** Whether the embedded relations neither select the rows nor order them, and only read columns of the table. */
  private get hasIndependentEmbeds(): boolean {
    const { table, holdsComputed } = this.source;
    const embeds = [...this.embeds.values()];
    const computes = !holdsComputed && [...this.used].some((name) => !table.columns.has(name));
    return embeds.length > 0 && !computes && !embeds.some((embed) => embed.decides || embed.orders);
  }

  /**
   * Selects the page first, and then joins the embedded relations to its rows only. The planner's estimate of rows that
   * policies admit is too low to make this choice: it would join them to every row that matches.
   */
  private fromPage(page: string): string {
    // Only columns that the request uses, because the caller may not read the others.
    const columns = [...this.used].map((name) => `${this.alias}.${quote(name)}`);
    return [
      `from (select ${columns.join(", ")} ${this.from([])}${page}) as ${this.alias}`,
      ...[...this.embeds.values()].map((embed) => embed.join()),
    ].join(" ");
  }

  /** SQL for the number of matching rows without limit and offset, also if the response only counts them. */
  get total(): string {
    const deciding = [...this.embeds.values()].filter((embed) => embed.decides);
    const matching = `select 1 ${this.from(deciding, true)}`;
    return `(select count(*) from (${matching}) as matching)`;
  }
}

const COUNT = "count(*)";

/** Whether an item is a count: `count` without brackets, unless the table has a column of that name. */
const isCount = (table: Table, item: ColumnItem) =>
  item.field.name === "count" && item.field.path.length === 0 && !table.columns.has("count");

function columnOutput(scope: Scope, item: ColumnItem): Output {
  const { field } = item;
  const { sql } = fieldSql(scope, field);
  const key = field.path.findLast((step) => !step.index)?.key;
  return { name: item.alias ?? key ?? field.name, sql: item.cast === undefined ? sql : castTo(sql, item.cast) };
}

/** Types that a request may cast to, by common name; none whose input can run code or read the catalogue. */
const CASTS: Record<string, string> = {
  bigint: "int8",
  bool: "bool",
  boolean: "bool",
  date: "date",
  decimal: "numeric",
  doubleprecision: "float8",
  float4: "float4",
  float8: "float8",
  int: "int4",
  int2: "int2",
  int4: "int4",
  int8: "int8",
  integer: "int4",
  interval: "interval",
  json: "json",
  jsonb: "jsonb",
  numeric: "numeric",
  real: "float4",
  smallint: "int2",
  text: "text",
  time: "time",
  timestamp: "timestamp",
  timestamptz: "timestamptz",
  timetz: "timetz",
  uuid: "uuid",
  varchar: "varchar",
};

/** Casts `sql` to a type by its common name. Refuses types that are not in the list, whether or not they exist. */
function castTo(sql: string, type: string): string {
  const name = type.replaceAll(" ", "").toLowerCase();
  if (!Object.hasOwn(CASTS, name)) throw notSupported(`This server does not offer casts to "${type}".`);
  return `${sql}::pg_catalog.${CASTS[name]}`;
}
