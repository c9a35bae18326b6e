import type { TableWords } from "./vocabulary.ts";

interface FunctionWords {
  args: Record<string, unknown>[];
  wrongArgs: Record<string, unknown>[];
  /** The rows that it returns; absent for values. */
  rows?: string;
  /** Callers for whom it fails. */
  refused?: string[];
}

/** The library's functions with arguments. */
export const FUNCTIONS: Record<string, FunctionWords> = {
  add_up: { args: [{ a: 1 }, { a: 1, b: 2 }, { a: null }], wrongArgs: [{ b: 1 }, {}, { a: "x" }, { a: 1, c: 2 }] },
  longest: { args: [{ at_least: 100 }, { at_least: 1 }, { at_least: 9999 }], wrongArgs: [{}], rows: "books" },
  first_author: { args: [{}], wrongArgs: [{ a: 1 }], rows: "authors" },
  titles: { args: [{}], wrongArgs: [{ a: 1 }] },
  numbers: { args: [{ upto: 3 }, { upto: 0 }], wrongArgs: [{ upto: "z" }], rows: "numbers" },
  forget: { args: [{}], wrongArgs: [{ a: 1 }], refused: ["visitor"] },
  add_tag: {
    args: [{ id: 50, label: "new" }],
    wrongArgs: [{ id: 1, label: "there" }, { id: 51 }],
    rows: "tags",
    refused: ["visitor"],
  },
  sum_of: { args: [{ numbers: [1, 2, 3] }, { numbers: [] }], wrongArgs: [{}] },
  cleaned: { args: [{ story: "plain" }], wrongArgs: [{}] },
  overloaded: { args: [], wrongArgs: [{ a: 1 }] },
  scold: { args: [], wrongArgs: [{}] },
  refuse_wholly: { args: [], wrongArgs: [{}] },
  teapot: { args: [], wrongArgs: [{}] },
  doubled: { args: [], wrongArgs: [{}] },
  setting: {
    args: ["request.method", "request.path", "request.jwt.claims", "role", "nothing.at_all"].map((name) => ({ name })),
    wrongArgs: [{ name: "x", other: 1 }],
  },
  header: { args: [{ name: "prefer" }, { name: "x-nothing" }, { name: "accept" }], wrongArgs: [] },
  answering: {
    args: [
      { status: "202", headers: '[{"X-Library": "open"}]' },
      { status: "200", headers: '[{"X-Library": "open"}, {"X-Reason": "twice"}, {"x-library": "again"}]' },
      { status: "418", headers: "" },
      { status: "", headers: '[{"Content-Type": "text/x-library"}]' },
    ],
    wrongArgs: [
      { status: "abc", headers: "" },
      { status: "", headers: "{}" },
      { status: "", headers: '[{"X-Library": 1}]' },
    ],
  },
  authors_of_mood: { args: [{ wanted: "calm" }, { wanted: null }], wrongArgs: [{ wanted: "gloomy" }], rows: "authors" },
  pair: { args: [{}], wrongArgs: [], rows: "pair" },
  echo: { args: [{ a: 1 }, {}, { a: [1, { b: null }] }], wrongArgs: [] },
  typed: {
    args: [{}, { a: 2 }, { b: "y", c: "2024-02-29" }, { d: ["x", "y,z"], e: { k: 1 } }, { f: "bright", a: null }],
    wrongArgs: [{ a: "x" }, { c: "2024-02-30" }, { d: "x" }, { f: "gloomy" }, { g: 1 }, { a: 1, b: "x", h: 2 }],
    rows: "typed",
  },
  value_of: {
    args: ["1", "null", '"x"', "[1,2]", '{"a":null}'].map((arg) => ({ given: arg })),
    wrongArgs: [{ given: "{" }, {}],
  },
  values_of: { args: [{ given: "[1,null]" }, { given: "[]" }], wrongArgs: [{ given: "1" }] },
  truth: { args: [{ of: true }, { of: null }, { of: "f" }], wrongArgs: [{ of: "x" }] },
  dates: { args: [{ many: 2 }, { many: 0 }], wrongArgs: [{ many: "x" }] },
  arrays: { args: [{}], wrongArgs: [{ a: 1 }] },
  spot: {
    args: [
      { x: 1, y: 2 },
      { x: null, y: 1 },
    ],
    wrongArgs: [{ x: 1 }],
  },
  spots: { args: [{ many: 2 }, { many: 0 }], wrongArgs: [{}], rows: "spot" },
  by_names: { args: [{ a: 1 }, { a: 1, b: 2 }], wrongArgs: [{ b: 1 }] },
  both_ways: { args: [{ n: 1 }], wrongArgs: [{}], rows: "both_ways" },
  no_author: { args: [{}], wrongArgs: [], rows: "authors" },
  all_authors: { args: [{}], wrongArgs: [], rows: "authors" },
  raising: {
    args: [],
    wrongArgs: [
      ..."08006 09000 0L000 0P000 22012 23502 23505 23503 23514 25000 25006 28000 2D000 38000 39000 3B000 3D000".split(
        " ",
      ),
      ..."42501 42601 42883 42P01 42P17 54000 55000 55P03 57014 58000 F0000 HV000 P0000 P0001 P0002 XX000".split(" "),
      ..."PT404 PT499 PT200 PT503 ABCDE 21000 44000".split(" "),
    ].map((sqlstate) => ({ sqlstate })),
  },
  nothing_here: { args: [], wrongArgs: [{}, { a: 1 }] },
};

const record = (columns: Record<string, string>): TableWords => ({
  columns,
  key: Object.keys(columns).slice(0, 1),
  embeds: [],
  wrongEmbeds: [],
  rows: [],
  wrongRows: [],
  unwritable: [],
});

/** Rows and values of functions that are not those of a table. */
export const RECORDS: Record<string, TableWords> = {
  numbers: record({ n: "int", square: "int" }),
  pair: record({ one: "int", two: "text" }),
  typed: record({ a: "int", b: "text", c: "date", d: "text[]", e: "jsonb", f: "mood" }),
  spot: record({ x: "int", y: "int" }),
  both_ways: record({ n: "int", twice: "int" }),
  value: record({ pgrst_scalar: "text" }),
};
