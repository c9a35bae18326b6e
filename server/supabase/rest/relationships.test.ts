import { expect, test } from "vitest";
import { smallCatalogue } from "../../../tests/support/catalogue.ts";
import { type EmbedItem, emptyQuery } from "./query.ts";
import { findRelationship } from "./relationships.ts";

const catalogue = smallCatalogue();

function find(source: string, relation: string, hint?: string) {
  const table = catalogue.tables.get(source);
  if (!table) throw new Error(`No table ${source}`);
  const item: EmbedItem = { kind: "embed", relation, hint, inner: false, spread: false, query: emptyQuery() };
  return findRelationship(catalogue, table, item);
}

test("a child leads to its parent by the constraint's name, or the column's", () => {
  const byConstraint = find("books", "authors", "books_author_id_fkey");
  expect(byConstraint).toMatchObject({ toOne: true, pairs: [["author_id", "id"]], target: { name: "authors" } });
  expect(find("books", "authors", "author_id")).toEqual(byConstraint);
  expect(find("books", "author_id")).toEqual(byConstraint);
  expect(find("books", "books_author_id_fkey")).toEqual(byConstraint);
});

test("a parent leads to many children, told apart by the child's column", () => {
  expect(find("authors", "books", "editor_id")).toMatchObject({ toOne: false, pairs: [["id", "editor_id"]] });
});

test("a table whose key is two foreign keys joins many to many", () => {
  expect(find("books", "tags")).toMatchObject({
    toOne: false,
    target: { name: "tags" },
    pairs: [["id", "book_id"]],
    junction: { table: { name: "book_tags" }, pairs: [["tag_id", "id"]] },
  });
  expect(find("books", "tags", "book_tags")).toMatchObject({ junction: { table: { name: "book_tags" } } });
});

test("an ambiguous relationship is refused with a hint how to choose", () => {
  expect(() => find("books", "authors")).toThrow(
    expect.objectContaining({
      status: 300,
      code: "PGRST201",
      hint: expect.stringContaining("'authors!books_author_id_fkey', 'authors!books_editor_id_fkey'"),
    }),
  );
});

test.each([
  ["authors", "tags", undefined],
  ["books", "authors", "nonsense"],
  ["books", "nothing", undefined],
])("a missing relationship from %s to %s by %s is refused", (source, relation, hint) => {
  expect(() => find(source, relation, hint)).toThrow(expect.objectContaining({ status: 400, code: "PGRST200" }));
});
