import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import WebSocket from "ws";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { addSlowRead } from "../support/slow-read.ts";

const trusting = { TRUST_PROXY: "127.0.0.1" };
/** A server with a small budget for each caller, which is soon exhausted. */
const strict = await testServer({ ...trusting, REQUEST_BUDGET: "100" });
const { db } = strict;
/** The same server with the smallest budget, which exhausts an address soon on any machine. */
const smallest = await testServer({ ...trusting, REQUEST_BUDGET: "10" }, strict);
/** The same server with its default limits; and without limits, for preparations. */
const ordinary = await testServer({ ...trusting, REQUEST_BUDGET: "" }, strict);
const unlimited = await testServer(trusting, strict);

await addSlowRead(db);

interface Answer {
  status: number;
  retryAfter: number;
  body: string;
  ms: number;
}

async function call(
  path: string,
  address: string,
  person?: Person,
  body?: object,
  to = strict,
  method = body ? "POST" : "GET",
): Promise<Answer> {
  const begun = performance.now();
  const response = await fetch(`${to.url}${path}`, {
    method,
    headers: {
      apikey: to.keys.publishable,
      "x-forwarded-for": address,
      ...(body && { "content-type": "application/json" }),
      ...(person && { authorization: `Bearer ${person.token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    retryAfter: Number(response.headers.get("retry-after")),
    body: text,
    ms: performance.now() - begun,
  };
}
const readPlans = (address: string, person?: Person, to = strict) =>
  call("/rest/v1/subscription_plans?select=id", address, person, undefined, to);
const readSlowly = (address: string, person: Person | undefined, seconds: number, to = strict) =>
  call("/rest/v1/rpc/slow_read", address, person, { seconds }, to);

/**
 * Exhausts a caller's credit by twenty slow reads at a time, until a light read is refused too. That one may be sent
 * from another address, `elsewhere`.
 */
async function exhaust(address: string, person?: Person, elsewhere = address) {
  const answers: Answer[] = [];
  for (;;) {
    const refused = await readPlans(elsewhere, person);
    if (refused.status === 429) return { answers, refused };
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => readSlowly(address, person, 0.5)))));
  }
}

test("100 light reads a second from one address are all answered", async () => {
  const address = "203.0.113.1";
  const seconds = 4;
  const answers: Promise<Answer>[] = [];
  const begun = performance.now();
  for (let n = 0; n < 100 * seconds; n++) {
    answers.push(readPlans(address, undefined, ordinary));
    await pause(Math.max(0, begun + (n + 1) * 10 - performance.now()));
  }
  const statuses = new Set((await Promise.all(answers)).map(({ status }) => status));
  expect([...statuses]).toEqual([200]);
});

test("a caller with expensive queries is limited, and other callers do not wait", async () => {
  const hostile = await signUp(unlimited, "Hostile");
  const mother = await signUp(unlimited, "Mother");
  const address = "203.0.113.2";
  const others = () =>
    Promise.all([
      readPlans(address, mother), // a second caller on the same address
      readPlans(address), // a visitor there
      readPlans("203.0.113.3"), // another address
    ]);
  let ended = false;
  // The attacker's light requests are refused too, from every address.
  const attack = exhaust(address, hostile, "203.0.113.4").finally(() => {
    ended = true;
  });
  const meanwhile: Answer[] = [];
  while (!ended) meanwhile.push(...(await others()));
  const refused = (await attack).answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { retryAfter, body } of refused) {
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(body)).toMatchObject({ code: "PGRST429", message: expect.any(String) });
  }
  expect(meanwhile.length).toBeGreaterThan(3);
  expect([...new Set(meanwhile.map(({ status }) => status))]).toEqual([200]);
  // One slow read takes half a second. Nobody else waits for one, although a busy machine delays some requests.
  for (const caller of [0, 1, 2]) {
    expect(Math.min(...meanwhile.filter((_, n) => n % 3 === caller).map(({ ms }) => ms))).toBeLessThan(500);
  }
  expect([...new Set((await others()).map(({ status }) => status))]).toEqual([200]);
});

test("a caller who was told to wait is answered after that time", async () => {
  const address = "203.0.113.5";
  const person = await signUp(unlimited, "Patient");
  const { retryAfter } = (await exhaust(address, person)).refused;
  const startedAt = performance.now();
  for (;;) {
    const isTime = performance.now() - startedAt >= (retryAfter + 2) * 1000;
    const { status } = await readPlans(address, person);
    if (isTime) expect(status).toBe(200);
    if (status === 200) break;
    await pause(200);
  }
});

test("a request that waits for a lock is not charged for waiting", async () => {
  const address = "203.0.113.6";
  const person = await signUp(unlimited, "Waiting");
  await db.query("update profiles set full_name = 'Waiting' where id = $1", [person.id]);
  let answer: Promise<Answer> | undefined;
  await db.transaction(async (tx) => {
    await tx.query("select from profiles where id = $1 for update", [person.id]);
    answer = call(`/rest/v1/profiles?id=eq.${person.id}`, address, person, { full_name: "Patient" }, strict, "PATCH");
    const isBlocked = async () =>
      (
        await tx.query<{ blocked: boolean }>(
          "select exists (select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))) as blocked",
        )
      ).rows[0]?.blocked;
    await expect.poll(isBlocked, { timeout: 180_000 }).toBe(true);
    // Longer than the credit of a caller, which is two seconds.
    await pause(5000);
  });
  expect((await answer)?.status).toBe(204);
  expect((await readPlans(address, person)).status).toBe(200);
});

test("every surface refuses an exhausted address in its own format, with the time to wait", async () => {
  const people = await Promise.all(
    ["One", "Two", "Three", "Four", "Five", "Six"].map((name) => signUp(unlimited, name)),
  );
  const network = "2001:db8:1:2";
  const address = `${network}::1`;
  // Several callers of one address, because the budget of one caller does not exhaust it; until it has to wait for long.
  while ((await call("/config.json", address, undefined, undefined, smallest)).retryAfter < 5) {
    await Promise.all(
      people.flatMap((person) => Array.from({ length: 4 }, () => readSlowly(address, person, 2, smallest))),
    );
  }
  const at = `${network}:ffff::9`;
  const refusals = {
    auth: await call("/auth/v1/settings", at, undefined, undefined, smallest),
    rest: await readPlans(at, undefined, smallest),
    storage: await call("/storage/v1/object/media/nothing", at, undefined, undefined, smallest),
    functions: await call("/functions/v1/open-share", at, undefined, { shareId: "nobodysLink" }, smallest),
    netlify: await call("/.netlify/functions/open-share", at, undefined, { shareId: "nobodysLink" }, smallest),
    pages: await call("/config.json", at, undefined, undefined, smallest),
  };
  for (const { status, retryAfter } of Object.values(refusals)) {
    expect({ status, waits: retryAfter >= 1 }).toEqual({ status: 429, waits: true });
  }
  const body = (name: keyof typeof refusals) => JSON.parse(refusals[name].body) as object;
  const message = expect.any(String);
  const code = "over_request_rate_limit";
  expect(body("auth")).toEqual({ code: 429, error_code: code, msg: message });
  expect(body("rest")).toEqual({ code: "PGRST429", message, details: null, hint: null });
  expect(body("storage")).toEqual({ statusCode: "429", error: "SlowDown", message });
  for (const name of ["functions", "netlify", "pages"] as const) expect(body(name)).toEqual({ message, code });

  const socket = new WebSocket(
    `${smallest.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${smallest.keys.publishable}&vsn=1.0.0`,
    { headers: { "x-forwarded-for": at } },
  );
  const [, upgrade] = await once(socket, "unexpected-response");
  expect(upgrade.statusCode).toBe(429);
  expect(Number(upgrade.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  upgrade.destroy();

  // The next household has another /64 network.
  expect((await readPlans("2001:db8:1:3::1", undefined, smallest)).status).toBe(200);
});
