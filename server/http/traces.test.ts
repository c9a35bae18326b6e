import { expect, test } from "vitest";
import { summaryOf } from "./traces.ts";

test.each([
  ["select id, name from memories where id = $1", "select memories"],
  ['select m."id" from public."memories" as m, public.media where "it\'s from rosa" = 1', "select memories media"],
  ["select 'from rosa', extract(epoch from now()) from \"from rosa\"", "select extract"],
  ["with due as (select id from private.outbox for update skip locked) select * from due", "select private.outbox"],
  ["insert into auth.users (id) values ($1) on conflict (id) do update set email = $2", "insert auth.users"],
  ["select private.is_invited($1)", "select private.is_invited"],
  ["select set_config('role', $1, true)", "select set_config"],
  ["begin", "statement"],
])("a trace calls %j %j", (text, summary) => {
  expect(summaryOf(text)).toBe(summary);
});
