import { expect, test } from "vitest";
import { anywhere, freshByPages, lastOf, laterThan } from "./in-pages.ts";

test("a page begins after a given row, also among rows with equal sort values", () => {
  const row = { position: 3, created_at: "2026-11-20T10:00:00.5+00:00", id: "b7" };
  expect(laterThan(row, [["position", "up"]])).toBe('position.gt."3"');
  expect(laterThan({ email: '"ada"@example.com' }, [["email", "up"]])).toBe('email.gt."\\"ada\\"@example.com"');
  expect(
    laterThan(row, [
      ["created_at", "down"],
      ["id", "up"],
    ]),
  ).toBe(`created_at.lt."${row.created_at}",and(created_at.eq."${row.created_at}",id.gt."b7")`);
  expect(
    laterThan(row, [
      ["position", "up"],
      ["created_at", "up"],
      ["id", "up"],
    ]),
  ).toContain(`and(position.eq."3",created_at.eq."${row.created_at}",id.gt."b7")`);
});

test("a page that is not full is the last", () => {
  expect(lastOf([1, 2], 2)).toBe(2);
  expect(lastOf([1], 2)).toBeUndefined();
  expect(lastOf([], 2)).toBeUndefined();
});

test("a search matches the text literally", () => {
  expect(anywhere(" Nonna_100% ")).toBe("%Nonna\\_100\\%%");
});

test("a list of many pages is refreshed less often than a list of one page", () => {
  const of = (pages: number) => freshByPages({ state: { data: { pages: Array(pages).fill([]) } } });
  expect([freshByPages({ state: { data: undefined } }), of(1), of(40)]).toEqual([30_000, 30_000, 1_200_000]);
});
