import { beforeEach, expect, test } from "vitest";
import type { Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { repliesTo } from "../support/day-replies.ts";
import { makeWorld } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { owner } = world.callers;
const { run, ask, change, reply, newGuest } = repliesTo(db, world);

beforeEach(async () => {
  await db.query("delete from day_replies");
  await db.query("delete from day_reply_settings");
  await db.query("delete from memory_members where user_id <> $1", [world.people["co-owner"]]);
});

/** The first names of those with a place, and of those who wait in their order. */
async function list() {
  const { rows } = await db.query<{ name: string; waits: boolean }>(
    `select names[1] as name, waiting_since is not null as waits from day_replies where answer = 'yes'
     order by waiting_since nulls first, created_at, id`,
  );
  const names = (waiting: boolean) => rows.filter(({ waits }) => waits === waiting).map(({ name }) => name);
  return { coming: names(false), waiting: names(true) };
}
/** Replies in this order: each a name and the number of persons. */
async function comeInOrder(...households: [name: string, persons: number][]) {
  const guests: Record<string, { caller: Caller; id: string }> = {};
  for (const [name, persons] of households) {
    const caller = await newGuest(name);
    guests[name] = { caller, ...(await reply(caller, { names: household(name, persons) })) };
  }
  return guests;
}
const household = (name: string, persons: number) => [name, ...Array<string>(persons - 1).fill("")];

test("a place that becomes free goes to the first of the waiting list", async () => {
  await ask({ places: 2 });
  const { Ada, Ben, Cleo } = await comeInOrder(["Ada", 1], ["Ben", 1], ["Cleo", 1], ["Dora", 1], ["Elia", 1]);
  expect(await list()).toEqual({ coming: ["Ada", "Ben"], waiting: ["Cleo", "Dora", "Elia"] });
  await reply(Ada?.caller ?? owner, { answer: "no", names: ["Ada"], revision: 1 });
  expect((await list()).waiting).toEqual(["Dora", "Elia"]);
  await run(owner, "select delete_day_reply($1)", [Ben?.id]);
  expect(await list()).toEqual({ coming: ["Cleo", "Dora"], waiting: ["Elia"] });
  await reply(Cleo?.caller ?? owner, { answer: "maybe", names: ["Cleo"], revision: 1 });
  expect(await list()).toEqual({ coming: ["Dora", "Elia"], waiting: [] });
});

test("a household moves up as a whole, and nobody overtakes it", async () => {
  await ask({ places: 4 });
  const guests = await comeInOrder(["Ada", 2], ["Ben", 2], ["Rossi", 3], ["Dora", 1]);
  expect((await list()).waiting).toEqual(["Rossi", "Dora"]);
  await reply(guests.Ada?.caller ?? owner, { answer: "no", names: ["Ada"], revision: 1 });
  expect((await list()).waiting).toEqual(["Rossi", "Dora"]);
  // A new one, for whom there would be room, joins the end of the list.
  await comeInOrder(["Elia", 1]);
  expect((await list()).waiting).toEqual(["Rossi", "Dora", "Elia"]);
  await reply(guests.Rossi?.caller ?? owner, { names: household("Rossi", 2), revision: 1 });
  expect(await list()).toEqual({ coming: expect.arrayContaining(["Ben", "Rossi"]), waiting: ["Dora", "Elia"] });
});

test("more persons need more places, and the reply stays as it was without them", async () => {
  await ask({ places: 4 });
  const { Ada, Ben } = await comeInOrder(["Ada", 1], ["Ben", 2]);
  const more = (persons: number) => reply(Ben?.caller ?? owner, { names: household("Ben", persons), revision: 1 });
  await expect(more(4)).rejects.toMatchObject({ code: "PT409", hint: "full", detail: "1" });
  expect(await list()).toEqual({ coming: ["Ada", "Ben"], waiting: [] });
  expect(await more(3)).toMatchObject({ waiting: false });
  // Fewer persons always fit, also after the hosts took places away.
  await change({ places: 1 });
  expect(await reply(Ben?.caller ?? owner, { names: household("Ben", 2), revision: 2 })).toMatchObject({
    waiting: false,
  });
  await expect(reply(Ada?.caller ?? owner, { names: household("Ada", 2), revision: 1 })).rejects.toMatchObject({
    hint: "full",
    detail: "0",
  });
});

test("without a waiting list, what does not fit is refused", async () => {
  await ask({ places: 2, waiting_list: false });
  await comeInOrder(["Ada", 1]);
  await expect(comeInOrder(["Rossi", 2])).rejects.toMatchObject({ hint: "full", detail: "1" });
  await comeInOrder(["Ben", 1]);
  await expect(comeInOrder(["Cleo", 1])).rejects.toMatchObject({ hint: "full", detail: "0" });
  expect(await list()).toEqual({ coming: ["Ada", "Ben"], waiting: [] });
});

test("a household for which there will never be room is refused, and blocks nobody", async () => {
  await ask({ places: 3 });
  await expect(comeInOrder(["Rossi", 4])).rejects.toMatchObject({ hint: "full" });
  const { Ada } = await comeInOrder(["Ada", 3], ["Bianchi", 3], ["Cleo", 1]);
  await change({ places: 2 });
  await reply(Ada?.caller ?? owner, { answer: "no", names: ["Ada"], revision: 1 });
  expect(await list()).toEqual({ coming: ["Cleo"], waiting: ["Bianchi"] });
});

test("a higher limit, or none, lets those who wait in", async () => {
  await ask({ places: 1 });
  await comeInOrder(["Ada", 1], ["Ben", 1], ["Cleo", 1], ["Dora", 1]);
  await change({ places: 3 });
  expect(await list()).toEqual({ coming: ["Ada", "Ben", "Cleo"], waiting: ["Dora"] });
  await change({ places: null });
  expect((await list()).waiting).toEqual([]);
});

test("the places of a deleted account go to those who wait", async () => {
  await ask({ places: 1 });
  const { rows } = await db.query<{ id: string }>(
    "insert into auth.users (email) values ('dora@example.org') returning id",
  );
  const [person] = rows;
  await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'viewer')", [
    world.memoryId,
    person?.id,
  ]);
  await reply({ role: "authenticated", sub: person?.id ?? "" }, { names: ["Dora"] });
  await comeInOrder(["Ada", 1]);
  await db.query("delete from auth.users where id = $1", [person?.id]);
  expect(await list()).toEqual({ coming: ["Ada"], waiting: [] });
});

test("the limit holds while sixty households reply, change their minds and are deleted at once", async () => {
  await ask({ places: 25 });
  const callers = await Promise.all(Array.from({ length: 60 }, (_, n) => newGuest(`Guest ${n}`)));
  const persons = (n: number) => (n % 4) + 1;
  const coming = await Promise.all(
    callers.map((caller, n) => reply(caller, { names: household(`Guest ${n}`, persons(n)) })),
  );
  const check = async (places: number) => {
    const { rows } = await db.query<{ persons: number; waits: boolean }>(
      `select cardinality(names) as persons, waiting_since is not null as waits from day_replies where answer = 'yes'
       order by waiting_since nulls first, id`,
    );
    const taken = rows.filter(({ waits }) => !waits).reduce((sum, row) => sum + row.persons, 0);
    expect(taken).toBeLessThanOrEqual(places);
    const first = rows.find(({ waits }) => waits);
    if (first) expect(taken + first.persons).toBeGreaterThan(places);
    return taken;
  };
  expect(await check(25)).toBeGreaterThanOrEqual(22);
  await Promise.all(
    callers.map((caller, n) => {
      if (n % 5 === 0) return run(owner, "select delete_day_reply($1)", [coming[n]?.id]);
      if (n % 3 === 0) return reply(caller, { answer: "no", names: [`Guest ${n}`], revision: 1 });
      return reply(caller, { names: household(`Guest ${n}`, persons(n)), note: "Late", revision: 1 });
    }),
  );
  await check(25);
  await Promise.all([
    change({ places: 30 }),
    ...callers
      .slice(0, 20)
      .map((caller, n) => reply(caller, { answer: "maybe", names: [`Guest ${n}`], revision: n % 5 === 0 ? null : 2 })),
  ]);
  await check(30);
});
