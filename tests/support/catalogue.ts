import type { Catalogue, Column, Table, Type } from "../../server/supabase/rest/catalogue.ts";

/** A catalogue of tables for rules that need no database: authors, books, tags, and a junction. */
export function smallCatalogue(): Catalogue {
  const authors = table("authors", ["id"], { id: type("int4"), name: type("text"), notes: type("jsonb") });
  const books = table("books", ["id"], {
    id: type("int4"),
    author_id: type("int4"),
    editor_id: type("int4"),
    title: type("text"),
    blurb: { ...type("text"), name: 'public."html"', domain: "html" },
  });
  const tags = table("tags", ["id"], { id: type("int4"), label: type("text") });
  const bookTags = table("book_tags", ["book_id", "tag_id"], { book_id: type("int4"), tag_id: type("int4") });
  const key = (name: string, from: string, column: string, target: string) => ({
    name,
    table: from,
    columns: [column],
    target,
    referenced: ["id"],
    unique: false,
  });
  return {
    tables: new Map([authors, books, tags, bookTags].map((one) => [one.name, one])),
    foreignKeys: [
      key("books_author_id_fkey", "books", "author_id", "authors"),
      key("books_editor_id_fkey", "books", "editor_id", "authors"),
      key("book_tags_book_id_fkey", "book_tags", "book_id", "books"),
      key("book_tags_tag_id_fkey", "book_tags", "tag_id", "tags"),
    ],
    functions: new Map([
      [
        "books_by",
        [
          {
            name: "books_by",
            args: [{ name: "author", type: type("int4"), required: true, variadic: false }],
            returnsSet: true,
            returns: "row",
            rows: books,
          },
        ],
      ],
    ]),
  };
}

const type = (kind: string): Type => ({
  name: `pg_catalog.${kind}`,
  base: `pg_catalog.${kind}`,
  array: `pg_catalog._${kind}`,
  kind,
  domain: null,
});

const table = (name: string, primary: string[], types: Record<string, Type>): Table => ({
  name,
  primary,
  computed: new Map(),
  columns: new Map(
    Object.entries(types).map(([column, of]): [string, Column] => [column, { name: column, type: of, default: null }]),
  ),
});
