import { expect, test } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";

const db = await testDatabase();

test("two statements in a deadlock both succeed", async () => {
  // Both transactions hold their first row before they request their second one: the sequence counts them.
  await db.exec(`
    create table crossed (id integer primary key, times integer not null default 0);
    insert into crossed values (1), (2);
    create sequence arrived minvalue 0 start 0;
    create function cross_over(mine integer, other integer) returns void language plpgsql as $$
    begin
      update crossed set times = times + 1 where id = mine;
      perform nextval('arrived');
      while (select last_value from arrived) < 1 loop end loop;
      update crossed set times = times + 1 where id = other;
    end
    $$`);
  await Promise.all([db.query("select cross_over(1, 2)"), db.query("select cross_over(2, 1)")]);
  expect((await db.query("select id, times from crossed order by id")).rows).toEqual([
    { id: 1, times: 2 },
    { id: 2, times: 2 },
  ]);
});
