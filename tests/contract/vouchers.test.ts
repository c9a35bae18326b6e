import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeEach, describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { makeOrder, settle } from "../support/orders.ts";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const { db } = server;
let ada: Person;
let bob: Person;

beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from vouchers; delete from orders");
  [ada, bob] = await Promise.all([signUp(server, "Ada"), signUp(server, "Bob")]);
});

const make = async (...vouchers: object[]) => {
  // One by one, because rows that are inserted together would each have the columns of all.
  for (const voucher of vouchers) await server.service().from("vouchers").insert(voucher).throwOnError();
};
const invalid = { valid: false, discount_percentage: 0, message: "Invalid voucher code" };
const reserve = (code: string, account: string, order: string, plans = ["skies-memories"]) =>
  db.query<{ percentage: number }>("select private.reserve_voucher($1, $2, $3, $4)::float8 as percentage", [
    code,
    account,
    order,
    plans,
  ]);

describe("Spec §7: apply_voucher", () => {
  test("tells anybody a code's discount, in any spelling of the code", async () => {
    await make({ code: "Spring-15", percentage: 12.5, plan_ids: ["skies-pro"], applies_to_cards: false });
    for (const client of [server.client(), ada.client]) {
      for (const code of ["SPRING-15", " spring-15 "]) {
        expect(await askAbout(client, code)).toEqual({
          valid: true,
          discount_percentage: 12.5,
          message: "",
          plan_ids: ["skies-pro"],
          applies_to_cards: false,
        });
      }
    }
  });

  test("Spec §5: an empty code gets 'No voucher code provided'", async () => {
    for (const code of ["", "   "]) {
      expect(await askAbout(server.client(), code)).toEqual({ ...invalid, message: "No voucher code provided" });
    }
  });

  test("Spec §8: every unusable code gets the same 'Invalid voucher code'", async () => {
    await make(
      { code: "OFF", percentage: 10, active: false },
      { code: "LATER", percentage: 10, starts_at: new Date(Date.now() + 86_400_000) },
      { code: "OVER", percentage: 10, starts_at: "2020-01-01", ends_at: "2020-02-01" },
      { code: "USED", percentage: 10, max_uses: 1 },
    );
    const order = await makeOrder(db, { user: bob, voucher: "USED" });
    await reserve("USED", bob.id, order);
    for (const code of ["OFF", "LATER", "OVER", "USED", "NEVER", "'; drop table vouchers; --", "x".repeat(5000)]) {
      expect(await askAbout(ada.client, code)).toEqual(invalid);
    }
    // A person who has just returned from the payment page still holds their use of the code.
    expect(await askAbout(bob.client, "USED")).toMatchObject({ valid: true });
  });

  test("nobody but administrators can read codes or make them", async () => {
    await make({ code: "SECRET", percentage: 90 });
    expect((await ada.client.from("vouchers").select("code")).data).toEqual([]);
    expect((await server.client().from("vouchers").select("code")).error?.code).toBe("42501");
    expect((await ada.client.from("vouchers").insert({ code: "MINE", percentage: 100 })).error?.code).toBe("42501");
    const admin = server.client(
      await server.sign({ role: "authenticated", sub: ada.id, aal: "aal2", app_metadata: { role: "admin" } }),
    );
    expect((await admin.from("vouchers").select("code")).data).toEqual([{ code: "SECRET" }]);
    await admin.from("vouchers").insert({ code: "theirs", percentage: 5 }).throwOnError();
    expect(await askAbout(server.client(), "THEIRS")).toMatchObject({ valid: true, discount_percentage: 5 });
  });
});

describe("at the payment, under a lock", () => {
  test("one of 100 people who claim the last use at once gets it", async () => {
    await make({ code: "LAST", percentage: 50, max_uses: 1 });
    const people = Array.from({ length: 100 }, () => randomUUID());
    await db.query("insert into auth.users (id, email) select id, id || '@example.com' from unnest($1::uuid[]) id", [
      people,
    ]);
    const buying = await Promise.all(
      people.map(async (id) => ({ id, order: await makeOrder(db, { user: { id, email: "x@example.com" } }) })),
    );
    const outcomes = await Promise.allSettled(buying.map(({ id, order }) => reserve("LAST", id, order)));
    const lost = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(lost).toHaveLength(99);
    for (const { reason } of lost) expect(reason).toMatchObject({ code: "PT409", hint: "voucher_used_up" });
    const { rows } = await db.query("select order_id from voucher_uses where released_at is null");
    expect(rows).toHaveLength(1);
  });

  test("a use is returned when its order expires, and is final once it is paid", async () => {
    await make({ code: "ONCE", percentage: 50, max_uses: 1 });
    const [hers, his] = [
      await makeOrder(db, { user: ada, voucher: "ONCE" }),
      await makeOrder(db, { user: bob, voucher: "ONCE" }),
    ];
    expect((await reserve("ONCE", ada.id, hers)).rows).toEqual([{ percentage: 50 }]);
    // Reserving it again for the same order changes nothing.
    await reserve("ONCE", ada.id, hers);
    await settle(db, hers, "expired");
    await reserve("ONCE", bob.id, his);
    await settle(db, his, "paid");
    await db.query("select private.release_voucher($1)", [his]);
    await expect(reserve("ONCE", ada.id, hers)).rejects.toMatchObject({ code: "PT409" });
    // A late payment counts: its use of the voucher remains, even beyond the limit.
    await settle(db, hers, "paid");
    const { rows } = await db.query(
      "select count(*)::int as used from voucher_uses where paid_at is not null and released_at is null",
    );
    expect(rows).toEqual([{ used: 2 }]);
  });

  test("dates, uses per person and plans are checked again", async () => {
    await make(
      { code: "OVER", percentage: 10, starts_at: "2020-01-01", ends_at: "2020-02-01" },
      { code: "MINE", percentage: 10, max_uses_per_person: 1 },
      { code: "PRO", percentage: 10, plan_ids: ["skies-pro"], applies_to_cards: false },
      { code: "CARDS", percentage: 10, plan_ids: [] },
    );
    const order = () => makeOrder(db, { user: ada, voucher: "X" });
    const refused = (hint: string) => ({ code: "PT409", hint, message: "Invalid voucher code" });
    await expect(reserve("NEVER", ada.id, await order())).rejects.toMatchObject(refused("voucher_unknown"));
    await expect(reserve("OVER", ada.id, await order())).rejects.toMatchObject(refused("voucher_over"));
    await reserve("MINE", ada.id, await order());
    await expect(reserve("MINE", ada.id, await order())).rejects.toMatchObject(refused("voucher_used"));
    await reserve("MINE", bob.id, await order());
    for (const plans of [["skies-memories"], []]) {
      await expect(reserve("PRO", ada.id, await order(), plans)).rejects.toMatchObject(refused("voucher_plans"));
    }
    await reserve("PRO", ada.id, await order(), ["skies-memories", "skies-pro"]);
    await reserve("CARDS", ada.id, await order(), []);
    const { rows } = await db.query(
      `select private.voucher_covers('pro', 'skies-pro') as pro, private.voucher_covers('PRO', 'skies-master') as master,
         private.voucher_covers('PRO', null) as cards, private.voucher_covers('CARDS', null) as on_cards,
         private.voucher_covers('NEVER', null) as unknown`,
    );
    expect(rows).toEqual([{ pro: true, master: false, cards: false, on_cards: true, unknown: false }]);
  });
});

test("guesses are limited by address, after which a valid code is refused too", async () => {
  await make({ code: "RIGHT", percentage: 10 });
  for (let n = 0; n < 25; n++) expect(await askAbout(ada.client, "RIGHT")).toMatchObject({ valid: true });
  const ask = (code: string) => server.client().rpc("apply_voucher", { code_text: code });
  const guesses = await Promise.all(Array.from({ length: 40 }, () => ask(randomUUID().slice(0, 8))));
  const answered = guesses.filter(({ status }) => status === 200);
  expect(answered.length).toBeLessThanOrEqual(20);
  for (const { data } of answered) expect(data).toEqual(invalid);
  for (const { status } of guesses.filter((guess) => !answered.includes(guess))) expect(status).toBe(429);
  expect((await ask("RIGHT")).status).toBe(429);
});

/** Returns the result of `apply_voucher` for a code. */
async function askAbout(client: SupabaseClient, code: string): Promise<unknown> {
  const { data } = await client.rpc("apply_voucher", { code_text: code }).throwOnError();
  return data;
}
