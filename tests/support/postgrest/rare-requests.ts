import type { GeneratedRequest } from "./requests.ts";

const json = (method: string, path: string, prefer: string, body: string): GeneratedRequest => ({
  method,
  path,
  headers: { "content-type": "application/json", prefer },
  body,
  caller: "bob",
  faults: 1,
});

/** Requests whose differences are of kinds that generated requests show too seldom. */
export const RARE: readonly GeneratedRequest[] = [
  ...[
    "/authors?select=../,name&order=id",
    "/authors?select=address-%3E%3Ecity-%3Ex&order=id",
    "/authors?nicknames=in.(%22{}%22)",
    "/rpc/pair?one=in(any).(-1)",
    "/things?raw=like(any).{a}",
    "/rpc/both_ways?n=1&%22n%22=2",
    '/loans?not.and=(note.in.(""))',
    "/books?select=id,authors!books_author_id_fkey(address-%3Ephones-%3E0)&order=id",
    "/rpc/forget",
    "/tags?order=id&limit=-1&offset=1",
    "/books?select=id,tags(id)&tags=eq.1&order=id",
    "/authors?select=id,...books!books_author_id_fkey(title)",
  ].map((path) => ({ method: "GET", path, headers: {}, caller: "bob", faults: 1 })),
  json("POST", "/tags?columns=id,label", "", "{"),
  json("POST", "/tags", "resolution=merge-duplicates", '[{"id": 1, "label": "x"}, {"id": 1, "label": "y"}]'),
  json("POST", "/books?columns=author_id,title,story", "missing=default", '[{"author_id": 1, "title": "x"}]'),
  json("POST", "/rpc/setting", "", '[{"name": "role"}]'),
  json("PATCH", "/tags?nothing=eq.1&id=gt.0", "", "{}"),
  json(
    "PATCH",
    "/tags?id=eq.1&select=id,book_tags!inner(book_id)&book_tags.book_id=eq.-1",
    "return=representation, count=exact",
    '{"label": "x"}',
  ),
  json("PATCH", "/tags?id=eq.1&select=id&books.limit=1&books.order=id", "return=representation", '{"label": "x"}'),
  json("PUT", "/tags?id=eq.7", "", '{"label": "x"}'),
  json("PUT", "/tags?id=eq.7&select=*,book_tags!inner(book_id)", "return=representation", '{"id": 7, "label": "x"}'),
  json("PUT", "/tags?id=eq.7&select=*,book_tags(book_id)&book_tags.book_id=eq.1", "", '{"id": 7, "label": "x"}'),
];
