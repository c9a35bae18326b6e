/** The names and values that generated requests to the library's tables are made of. */

export interface TableWords {
  /** Types by column. */
  columns: Record<string, string>;
  /** The primary key. */
  key: string[];
  /** Related tables, as `select` names them, and the tables themselves. */
  embeds: [name: string, table: string][];
  /** Names of relations that the table does not have, or that are ambiguous. */
  wrongEmbeds: string[];
  /** Rows to write, and rows that are refused. */
  rows: Record<string, unknown>[];
  wrongRows: Record<string, unknown>[];
  /** Callers who may not read it, and who may not write it. */
  unreadable?: string[];
  unwritable: string[];
}

const ADA = "a0000000-0000-4000-8000-000000000001";
const BOB = "b0000000-0000-4000-8000-000000000002";
const ALL = ["visitor", "ada", "bob"];

export const TABLES: Record<string, TableWords> = {
  authors: {
    columns: {
      id: "int",
      name: "text",
      born: "date",
      address: "jsonb",
      nicknames: "text[]",
      mood: "mood",
      active: "range",
      living: "bool",
      rank: "int",
    },
    key: ["id"],
    embeds: [
      ["passports", "passports"],
      ["books!books_author_id_fkey", "books"],
      ["books!author_id", "books"],
      ["books!editor_id", "books"],
    ],
    wrongEmbeds: ["books", "books!nothing", "tags", "nothing"],
    rows: [
      { name: "Dora", born: "1900-02-03", living: false, mood: "calm" },
      { id: 1, name: "Ada again", address: { city: "Turin", list: [1, null] }, nicknames: ["A", "B c"] },
      { id: 7, name: "Ed", active: "[1,5)", rank: 12 },
      { id: 8, name: 'Quo"te', nicknames: [], mood: null },
      { name: 12, rank: "9007199254740993", living: "true" },
    ],
    wrongRows: [
      { id: 2, name: null },
      { name: "Flo", born: "2024-02-30" },
      { name: "Gus", mood: "gloomy" },
      { name: "Hal", unknown: 1 },
      { id: "x", name: "Ida" },
      { living: true },
    ],
    unwritable: ["visitor"],
  },
  relatives: {
    columns: { id: "int", name: "text", parent_id: "int" },
    key: ["id"],
    embeds: [
      ["relatives", "relatives"],
      ["parent_id", "relatives"],
      ["relatives!parent_id", "relatives"],
    ],
    wrongEmbeds: ["nothing", "relatives!nothing", "relatives!relatives_parent_id_fkey"],
    rows: [{ id: 4, name: "Dan", parent_id: 2 }],
    wrongRows: [{ id: 4 }],
    unreadable: ["ada", "bob"],
    unwritable: ALL,
  },
  passports: {
    columns: { author_id: "int", number: "text" },
    key: ["author_id"],
    embeds: [
      ["authors", "authors"],
      ["author_id", "authors"],
    ],
    wrongEmbeds: ["books", "authors!nothing"],
    rows: [
      { author_id: 2, number: "P-2" },
      { author_id: 1, number: "P-9" },
    ],
    wrongRows: [{ author_id: 99, number: "P-99" }, { author_id: 3 }],
    unwritable: ["visitor"],
  },
  books: {
    columns: {
      id: "int",
      author_id: "int",
      editor_id: "int",
      title: "text",
      story: "text",
      pages: "int",
      token: "uuid",
    },
    key: ["id"],
    embeds: [
      ["author_id", "authors"],
      ["editor_id", "authors"],
      ["authors!author_id", "authors"],
      ["authors!books_editor_id_fkey", "authors"],
      ["tags", "tags"],
      ["tags!book_tags", "tags"],
      ["book_tags", "book_tags"],
      ["loans", "loans"],
    ],
    wrongEmbeds: ["authors", "nothing", "authors!nothing"],
    rows: [
      { author_id: 1, title: "Letters", pages: 5 },
      { id: 1, author_id: 1, title: "Notes", pages: 67 },
      { id: 9, author_id: 2, editor_id: 3, title: "Ninth" },
      { id: 2, author_id: 2, title: "Engines", token: "a0000000-0000-4000-8000-00000000000f" },
      { author_id: 3, title: "Prose", story: "plain text" },
    ],
    wrongRows: [
      { author_id: 1, title: "Notes", pages: 1 },
      { author_id: 1, title: "None", pages: 0 },
      { author_id: 77, title: "Lost" },
      { author_id: 1 },
      { author_id: 1, title: "Bad", token: "nothing" },
    ],
    unwritable: ["visitor"],
  },
  tags: {
    columns: { id: "int", label: "text" },
    key: ["id"],
    embeds: [
      ["books", "books"],
      ["book_tags", "book_tags"],
    ],
    wrongEmbeds: ["authors", "books!nothing"],
    rows: [
      { id: 3, label: "poetry" },
      { id: 1, label: "physics" },
      { id: 5, label: "" },
    ],
    wrongRows: [{ id: 4 }, { label: "no id" }],
    unwritable: ["visitor"],
  },
  book_tags: {
    columns: { book_id: "int", tag_id: "int" },
    key: ["book_id", "tag_id"],
    embeds: [
      ["books", "books"],
      ["tags", "tags"],
      ["tag_id", "tags"],
    ],
    wrongEmbeds: ["authors"],
    rows: [
      { book_id: 1, tag_id: 2 },
      { book_id: 1, tag_id: 1 },
    ],
    wrongRows: [{ book_id: 3, tag_id: 77 }],
    unwritable: ["visitor"],
  },
  loans: {
    columns: { id: "int", book_id: "int", borrower: "uuid", note: "text" },
    key: ["id"],
    embeds: [
      ["books", "books"],
      ["book_id", "books"],
    ],
    wrongEmbeds: ["tags"],
    rows: [{ book_id: 2, note: "mine" }],
    wrongRows: [
      { book_id: 2, borrower: BOB, note: "Bob's" },
      { book_id: 1, borrower: ADA },
      { book_id: 99, note: "none" },
    ],
    unwritable: ["visitor"],
  },
  long_books: {
    columns: { id: "int", title: "text", pages: "int" },
    key: ["id"],
    embeds: [],
    wrongEmbeds: ["authors", "nothing"],
    rows: [{ id: 20, title: "Long", pages: 900 }],
    wrongRows: [{ id: 20 }],
    unwritable: ALL,
  },
};

/** Values of filters by type, and values that the type does not have. */
export const VALUES: Record<string, { right: readonly string[]; wrong: readonly string[] }> = {
  int: { right: ["1", "2", "3", "100", "-1", "0", " 1"], wrong: ["1.5", "x", "", "99999999999999999999"] },
  text: {
    right: [
      "Ada",
      "Notes",
      "Bruno",
      "Design, as art",
      "",
      "a*",
      "*e*",
      "%a%",
      "été",
      "a.b",
      "null",
      "is.null",
      'Carla "C"',
      "x y",
      "eq.1",
      "e'e",
      "_",
    ],
    wrong: [],
  },
  date: { right: ["1815-12-10", "1920-01-01", "infinity"], wrong: ["1900", "yesterday-ish", "2024-02-30"] },
  jsonb: { right: ['{"city":"London"}', "{}", "[1]", "null", "1", '"x"'], wrong: ["{", "x"] },
  "text[]": { right: ["{Bru}", '{"A, L"}', "{}", "{Enchantress,Bru}"], wrong: ["Bru", "{"] },
  mood: { right: ["calm", "bright"], wrong: ["gloomy", ""] },
  range: { right: ["[1830,1840]", "[1,2)", "empty", "(,)"], wrong: ["[5,1]", "1840"] },
  bool: { right: ["true", "false", "t", "no"], wrong: ["maybe", "null"] },
  uuid: { right: [ADA, BOB], wrong: ["nothing", ""] },
};

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
  value: record({ pgrst_scalar: "text" }),
};

/** Functions beside those of the library, for the settings of a request and for rows of other shapes. */
export const MORE_FUNCTIONS = `
  create function setting(name text) returns text language sql stable
    as $$ select case when name = 'request.jwt.claims' then current_setting(name, true)::jsonb ->> 'sub'
      else current_setting(name, true) end $$;
  create function header(name text) returns text language sql stable
    as $$ select current_setting('request.headers', true)::json ->> name $$;
  create function answering(status text, headers text) returns integer language sql
    as $$ select set_config('response.status', status, true), set_config('response.headers', headers, true); select 7 $$;
  create function authors_of_mood(wanted mood) returns setof authors language sql stable
    as $$ select * from authors where mood = wanted $$;
  create function pair(out one integer, out two text) language sql immutable as $$ select 1, 'two' $$;
  grant execute on all functions in schema public to anon, authenticated;
`;
