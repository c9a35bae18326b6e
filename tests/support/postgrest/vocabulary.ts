/** The names and values that generated requests to the library's tables are made of. */

export interface TableWords {
  /** Types by column. */
  columns: Record<string, string>;
  /** The primary key. */
  key: string[];
  /** The columns that order its rows; the key if absent. */
  order?: string[];
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
      ["pages", "pages"],
      ["odd scraps", "odd scraps"],
      ["odd scraps!book id", "odd scraps"],
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
    columns: { id: "int", label: "text", loud: "text" },
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
  things: {
    columns: {
      id: "int",
      "First Name": "text",
      "a.b": "text",
      "x,y(z)": "text",
      ü: "text",
      price: "numeric",
      ratio: "numeric",
      at: "timestamptz",
      days: "range",
      words: "tsvector",
      numbers: "int[]",
      moods: "mood[]",
      raw: "bytea",
      code: "char",
      short: "text",
      ip: "inet",
      big: "int",
      hour: "time",
      doc: "json",
      total: "numeric",
      made: "date",
    },
    key: ["id"],
    embeds: [],
    wrongEmbeds: ["books", "nothing"],
    rows: [
      { id: 5, "First Name": "Eve", price: 1.5, numbers: [1, 2], moods: ["calm"], doc: { a: [1] } },
      { id: 1, "a.b": "dot", ratio: "NaN", at: "2024-02-29T12:00:00Z", days: "[2024-01-01,2024-02-01)" },
      { id: 6, ü: "ü", "x,y(z)": "all", words: "a fat cat", raw: "\\x00ff", code: "abc", ip: "10.0.0.1" },
      { id: 7, big: "9007199254740993", hour: "12:30", made: "2020-01-02", short: "12345" },
      { id: 8, price: "12.345", numbers: "{3,null}", doc: null, big: 12 },
    ],
    wrongRows: [
      { id: 2, short: "too long" },
      { id: 2, total: 4 },
      { id: 9, numbers: [[1], [2, 3]] },
      { id: 9, price: 123456789 },
      { id: 9, ip: "10.0.0.300" },
      { id: 9, at: "soon" },
      { id: 9, big: 1.5 },
      { id: 9, big: true },
      { id: 1.5 },
      { price: 1 },
    ],
    unwritable: ["visitor"],
  },
  pages: {
    columns: { book_id: "int", number: "int", body: "text" },
    key: ["book_id", "number"],
    embeds: [
      ["books", "books"],
      ["book_id", "books"],
      ["marks", "marks"],
    ],
    wrongEmbeds: ["authors", "marks!book_id"],
    rows: [
      { book_id: 1, number: 3, body: "third" },
      { book_id: 1, number: 1, body: "first again" },
    ],
    wrongRows: [{ book_id: 99, number: 1 }, { number: 4 }],
    unwritable: ["visitor"],
  },
  marks: {
    columns: { id: "int", book_id: "int", number: "int", colour: "text" },
    key: ["id"],
    embeds: [
      ["pages", "pages"],
      ["marks_book_id_number_fkey", "pages"],
      ["pages!marks_book_id_number_fkey", "pages"],
    ],
    wrongEmbeds: ["books", "book_id"],
    rows: [
      { id: 3, book_id: 1, number: 2 },
      { id: 1, book_id: null, number: 1, colour: "red" },
    ],
    wrongRows: [{ id: 4, book_id: 2, number: 9 }, { id: 2 }],
    unwritable: ["visitor"],
  },
  "odd scraps": {
    columns: { note: "text", "book id": "int" },
    key: [],
    order: ['"note"', '"book id"'],
    embeds: [["books", "books"]],
    wrongEmbeds: ["authors"],
    rows: [{ note: "x" }, { note: "y", "book id": 1 }],
    wrongRows: [{ note: "z", "book id": 99 }],
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
  numeric: { right: ["1.5", "1e2", "NaN", "-0", " 3.00", "2"], wrong: ["1,5", "x", "", "0x"] },
  timestamptz: { right: ["2024-02-29T12:00:00Z", "2024-02-29 13:00+01", "-infinity"], wrong: ["now()", "2024", ""] },
  tsvector: { right: ["'cat':2 'fat':1", "", "a"], wrong: ["'", "a:x"] },
  tsquery: { right: ["cat", "fat & cat", "!dog", '"fat cat" -dog', "fat | cow", ""], wrong: [] },
  "int[]": { right: ["{1,2}", "{}", "{1,NULL}", "[0:1]={1,2}"], wrong: ["1", "{x}", "[1]"] },
  "mood[]": { right: ["{calm}", "{}", "{bright,calm}"], wrong: ["calm", "{gloomy}"] },
  bytea: { right: ["\\x00ff", "abc"], wrong: ["\\xzz"] },
  char: { right: ["abc", "a", "a  ", "abcdef"], wrong: [] },
  inet: { right: ["10.0.0.1", "10.0.0.0/24", "::1"], wrong: ["10.0.0.300", ""] },
  time: { right: ["12:30", "24:00", "12:30:15.5"], wrong: ["25:00", "1 PM", ""] },
  json: { right: ["{}"], wrong: [] },
};
