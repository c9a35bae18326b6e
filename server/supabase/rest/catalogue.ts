import type { Database } from "../../database/database.ts";
import { openSchemaCache } from "../schema-cache.ts";
import { CATALOGUE } from "./catalogue-sql.ts";

/** A type; `name`, `base` and `array` are ready to stand in SQL, qualified and quoted. */
export interface Type {
  name: string;
  /** What a domain is made of; the same as `name` for any other type. */
  base: string;
  /** The array of `base`; null where there is none. */
  array: string | null;
  /** The bare name of `base`, as `jsonb`. */
  kind: string;
  /** The bare name of the domain, where the type is one. */
  domain: string | null;
}

const LONG_KINDS = new Set([
  "text",
  "varchar",
  "bpchar",
  "citext",
  "json",
  "jsonb",
  "xml",
  "bytea",
  "tsvector",
  "tsquery",
]);

/** Whether no sensible value of this type is long, as of a uuid, a date or a number. */
export const isShortType = ({ kind }: Type): boolean => !LONG_KINDS.has(kind) && !kind.startsWith("_");

export interface Column {
  name: string;
  type: Type;
  /** The default's SQL; null where there is none. */
  default: string | null;
}

/** A table, a view, or the rows of a function. */
export interface Table {
  name: string;
  columns: Map<string, Column>;
  /** Functions of one row, which are read as columns are, where they are named: `*` does not ask for them. */
  computed: Map<string, Column>;
  primary: string[];
  /** Whether a trigger may keep a row that is deleted and hide it from its caller, as a trash does. */
  mayKeepDeleted?: boolean;
}

/** `columns` of `table` name one row of `target` by its `referenced` columns. */
export interface ForeignKey {
  name: string;
  table: string;
  columns: string[];
  target: string;
  referenced: string[];
  /** Whether at most one row of `table` can name the same row of `target`. */
  unique: boolean;
}

export interface Argument {
  name: string;
  type: Type;
  required: boolean;
  variadic: boolean;
}

export interface Callable {
  name: string;
  args: Argument[];
  returnsSet: boolean;
  returns: "void" | "value" | "row";
  /** The rows' shape; null for values, and for a record that only its caller could describe. */
  rows: Table | null;
}

export interface Catalogue {
  tables: Map<string, Table>;
  foreignKeys: ForeignKey[];
  functions: Map<string, Callable[]>;
}

interface RawTable {
  name: string;
  columns: Column[];
  computed: Column[];
  primary: string[] | null;
  unique: string[][];
  mayKeepDeleted?: boolean;
}

interface RawFunction {
  name: string;
  returnsSet: boolean;
  returns: Callable["returns"];
  table: string | null;
  args: { name: string; type: Type; mode: "i" | "o" | "b" | "v" | "t" }[];
  defaults: number;
}

interface Raw {
  tables: RawTable[];
  foreignKeys: Omit<ForeignKey, "unique">[];
  functions: RawFunction[];
}

/** Reads everything that schema `public` shows to requests. */
export async function loadCatalogue(db: Database): Promise<Catalogue> {
  const { rows } = await db.query<{ catalogue: string }>(CATALOGUE);
  const raw = JSON.parse(rows[0]?.catalogue ?? "") as Raw;
  const tables = new Map(raw.tables.map((table) => [table.name, readTable(table)]));
  const unique = new Map(raw.tables.map((table) => [table.name, table.unique]));
  const functions = new Map<string, Callable[]>();
  for (const one of raw.functions) {
    functions.set(one.name, [...(functions.get(one.name) ?? []), readFunction(one, tables)]);
  }
  const foreignKeys = raw.foreignKeys.map((key) => ({
    ...key,
    unique: (unique.get(key.table) ?? []).some((columns) => columns.every((column) => key.columns.includes(column))),
  }));
  return { tables, foreignKeys, functions };
}

const readTable = (raw: Omit<RawTable, "unique">): Table => ({
  name: raw.name,
  columns: new Map(raw.columns.map((column) => [column.name, column])),
  computed: new Map(raw.computed.map((column) => [column.name, column])),
  primary: raw.primary ?? [],
  mayKeepDeleted: raw.mayKeepDeleted ?? false,
});

function readFunction(raw: RawFunction, tables: Map<string, Table>): Callable {
  const given = raw.args.filter((arg) => arg.mode === "i" || arg.mode === "b" || arg.mode === "v");
  const made = raw.args.filter((arg) => arg.mode === "o" || arg.mode === "b" || arg.mode === "t");
  const columns = made.map(({ name, type }) => ({ name, type, default: null }));
  const rows = raw.table ? tables.get(raw.table) : readTable({ name: raw.name, columns, computed: [], primary: null });
  return {
    name: raw.name,
    args: given.map((arg, place) => ({
      name: arg.name,
      type: arg.type,
      // Defaults belong to the last arguments.
      required: place < given.length - raw.defaults && arg.mode !== "v",
      variadic: arg.mode === "v",
    })),
    returnsSet: raw.returnsSet,
    returns: made.length > 0 ? "row" : raw.returns,
    rows: rows && rows.columns.size > 0 ? rows : null,
  };
}

/** The catalogue as last read, and how to read it again. */
export interface CatalogueCache {
  readonly current: Catalogue;
  /** Reads the catalogue again unless that happened within the last second; resolves to the newest one. */
  refresh(): Promise<Catalogue>;
  close(): Promise<void>;
}

/** Holds the catalogue, and reads it again at `notify pgrst`, from whichever process that comes. */
export async function openCatalogue(db: Database): Promise<CatalogueCache> {
  let current: Catalogue;
  const cache = openSchemaCache(async () => {
    current = await loadCatalogue(db);
    return current;
  });
  current = await cache.get();
  const stop = await db.listen("pgrst", (payload) => {
    if (payload === "" || payload === "reload schema") cache.invalidate();
  });
  return {
    get current() {
      return current;
    },
    refresh: cache.refresh,
    async close() {
      cache.close();
      await stop();
    },
  };
}
