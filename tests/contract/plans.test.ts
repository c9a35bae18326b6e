import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { readSubscription } from "../../web/data/plans.queries.ts";
import { follow } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { type Person, signUp } from "../support/people.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { newRow } from "../support/sharing.ts";

const server = await testServer();
const { db } = server;
let ada: Person;
let bob: Person;

beforeEach(async () => {
  await emptyDatabase(db);
  [ada, bob] = await Promise.all([signUp(server, "Ada"), signUp(server, "Bob")]);
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const grant = (args: object, client = server.service()) => client.rpc("grant_plan", args);

describe("Spec §7: the read of a subscription", () => {
  const read = (person: Person, now: string) =>
    person.client
      .from("user_subscriptions")
      .select("status, expires_at, subscription_plans(name, max_memories, storage_gb)")
      .eq("user_id", ada.id)
      .eq("status", "active")
      .gt("expires_at", now)
      .order("expires_at", { ascending: false });

  test("gives active, unexpired subscriptions with their plans, the latest expiry first", async () => {
    await givePlan(db, ada.id, { plan: "skies-pro", expiresAt: inDays(10) });
    await givePlan(db, ada.id, { plan: "skies-memories", expiresAt: inDays(200) });
    await givePlan(db, ada.id, { plan: "skies-master", expiresAt: inDays(-1) });
    await givePlan(db, ada.id, { plan: "skies-master", expiresAt: inDays(900) });
    await db.query("update user_subscriptions set status = 'refunded' where expires_at > now() + interval '2 years'");
    const memories = { name: "Skies Memories", max_memories: null, storage_gb: 100 };
    const pro = { name: "Skies Pro", max_memories: null, storage_gb: 250 };
    for (const now of [new Date().toISOString(), "now"]) {
      const { data } = await read(ada, now);
      expect(data?.map((row) => row.subscription_plans)).toEqual([memories, pro]);
    }
    expect(await readSubscription(ada.client, ada.id)).toMatchObject({
      has_subscription: true,
      plan_id: "skies-memories",
      plan_name: "Skies Memories",
      expires_at: expect.stringMatching(/^\d{4}-/),
    });
  });

  test("gives nothing of another person's", async () => {
    await givePlan(db, ada.id);
    expect((await read(bob, "now")).data).toEqual([]);
    expect((await server.client().from("user_subscriptions").select("id")).error?.code).toBe("42501");
  });

  test("falls back to the free plan, and reports a failure", async () => {
    expect(await readSubscription(ada.client, ada.id)).toEqual({
      has_subscription: false,
      plan_id: "skies-starter",
      plan_name: "Skies Starter",
      max_memories: 1,
      expires_at: null,
      storage_gb: 1,
    });
    await expect(readSubscription(server.client(), ada.id)).rejects.toThrow("Failed to fetch subscription details");
  });
});

test("Spec §9: the four plans can be read by visitors, and changed by neither visitors nor members", async () => {
  const visitor = server.client();
  const { data } = await visitor.from("subscription_plans").select("*").order("position");
  expect(data).toMatchObject([
    { name: "Skies Starter", max_memories: 1, storage_gb: 1, term_years: null, included_cards: 0 },
    { name: "Skies Memories", max_memories: null, storage_gb: 100, term_years: 1, included_cards: 1 },
    { name: "Skies Pro", max_memories: null, storage_gb: 250, term_years: 3, included_cards: 3 },
    { name: "Skies Master", max_memories: null, storage_gb: 500, term_years: 5, included_cards: 5 },
  ]);
  for (const client of [visitor, ada.client]) {
    await client.from("subscription_plans").update({ storage_gb: 999 }).eq("id", "skies-starter");
    const bought = await client.from("user_subscriptions").insert({ plan_id: "skies-master", expires_at: inDays(9) });
    expect(bought.error?.code).toBe("42501");
  }
  const { data: after } = await visitor.from("subscription_plans").select("*").order("position");
  expect(after).toEqual(data);
});

test("a new plan is sent live to its holder, and to nobody else", async () => {
  const binding = { table: "user_subscriptions", filter: `user_id=eq.${ada.id}` };
  const hers = await follow(ada.client, binding);
  const his = await follow(bob.client, { table: "user_subscriptions" });
  await grant({ email: ada.email, plan: "skies-memories" });
  await expect.poll(() => hers.events).toHaveLength(1);
  expect(hers.events[0]).toMatchObject({ eventType: "INSERT", new: { user_id: ada.id, plan_id: "skies-memories" } });
  expect(his.events).toEqual([]);
  await Promise.all([ada.client.removeAllChannels(), bob.client.removeAllChannels()]);
});

describe("a plan given by hand", () => {
  test("counts at once for its term or the given years, and the one that expires last applies", async () => {
    const own = await grant({ email: ` ${ada.email.toUpperCase()} `, plan: "skies-pro" });
    expect(own.data).toMatchObject({ plan_id: "skies-pro", name: "Skies Pro", storage_bytes: 250 * 1024 ** 3 });
    expect(new Date(own.data.expires_at).getUTCFullYear()).toBe(inDays(0).getUTCFullYear() + 3);
    // The plan that expires last counts: a shorter one beside it changes nothing.
    const shorter = await grant({ email: ada.email, plan: "skies-memories", years: "1" });
    expect(shorter.data).toMatchObject({ plan_id: "skies-pro" });
    const longer = await grant({ email: ada.email, plan: "skies-memories", years: 9 });
    expect(longer.data).toMatchObject({ plan_id: "skies-memories" });
  });

  test("is refused for an unknown account, an unknown plan or an invalid number of years", async () => {
    const wrong = [
      [{ email: "nobody@example.com", plan: "skies-pro" }, 404, "no_account"],
      [{ email: ada.email, plan: "skies-starter" }, 404, "no_plan"],
      [{ email: ada.email, plan: "gold" }, 404, "no_plan"],
      [{ email: ada.email, plan: "skies-pro", years: 0 }, 400, "years"],
      [{ email: ada.email, plan: "skies-pro", years: 101 }, 400, "years"],
    ] as const;
    for (const [args, status, hint] of wrong) {
      const { error, status: answered } = await grant(args);
      expect([answered, error?.hint]).toEqual([status, hint]);
    }
  });

  test("is refused to members and visitors", async () => {
    const input = { email: ada.email, plan: "skies-master" };
    expect((await grant(input, ada.client)).error?.code).toBe("PT404");
    expect((await grant(input, server.client())).error?.code).toBe("42501");
  });
});

test("recent activity shows additions by day, stories and new members of the caller's memories only", async () => {
  await givePlan(db, ada.id);
  const memory = async (person: Person, name: string) =>
    (await newRow(person.client, "memories", { person_name: name })).id;
  const [rosa, his] = [await memory(ada, "Rosa"), await memory(bob, "His own")];
  const add = async (memoryId: string, owner: string, day: string) => {
    const id = randomUUID();
    await db.query(
      `insert into storage.objects (id, bucket_id, name, owner, version, metadata)
       values ($1, 'media', $2, $3, gen_random_uuid()::text, '{"size": 9, "mimetype": "image/jpeg"}')`,
      [id, `${memoryId}/${id}.jpg`, owner],
    );
    await db.query("update media set created_at = $2 where id = $1", [id, day]);
  };
  for (const day of ["2030-05-01T08:00Z", "2030-05-01T20:00Z", "2030-05-02T08:00Z"]) await add(rosa, ada.id, day);
  await add(rosa, bob.id, "2030-05-02T09:00Z");
  await add(his, bob.id, "2030-05-03T09:00Z");
  await db.query(
    "insert into memory_members (memory_id, user_id, role, created_at) values ($1, $2, 'contributor', '2030-05-04')",
    [rosa, bob.id],
  );
  await bob.client.from("stories").insert({ memory_id: rosa, body: "<p>She sang.</p>" }).throwOnError();
  await db.query("update stories set created_at = '2030-05-05'");

  const { data } = await ada.client.rpc("recent_activity");
  const here = { memory_id: rosa, memory_name: "Rosa" };
  expect(data).toMatchObject([
    { kind: "told", mine: false, author: "Bob", items: 1, ...here },
    { kind: "joined", mine: false, author: "Bob", items: 1, ...here },
    { kind: "added", mine: false, items: 1, ...here },
    { kind: "added", mine: true, items: 1, ...here },
    { kind: "added", mine: true, items: 2, ...here },
    { kind: "began", mine: true, items: 1, ...here },
  ]);
  expect((await server.client().rpc("recent_activity")).error?.code).toBe("42501");
});
