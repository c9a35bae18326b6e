import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { push } from "../../server/gateways/push.ts";
import { tellPeople } from "../../server/jobs/notices/notices-job.ts";
import { openPushKey } from "../../server/jobs/notices/push-key.ts";
import { openPushes } from "../../server/jobs/notices/push-messages.ts";
import { enqueueDuePushes } from "../../server/jobs/notices/pushing.ts";
import { sendDue } from "../../server/jobs/outbox-job.ts";
import { never } from "../support/jobs.ts";
import { addPhotos, type Commenter, commenter, memoryOf, say } from "../support/notices.ts";
import { type Person, signUp } from "../support/people.ts";
import { givePlan } from "../support/plans.ts";
import { type TestDevice, testPushService } from "../support/push-service.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const { db } = server;
const service = await testPushService();
const key = await openPushKey(db, [randomBytes(32)]);
const gateways = { push: push({ key, contact: "mailto:info@skies.test", agent: service.agent }) };
const MINUTE = 60_000;
const later = (ms: number) => new Date(Date.now() + ms);
const log = { warn: () => {}, error: (fields: object) => expect.fail(JSON.stringify(fields)) };
const send = (at = later(MINUTE)) => sendDue({ db, gateways, pushes: openPushes({ db }), log, clock: () => at }, never);
const messagesTo = (device: TestDevice) =>
  service.received.filter((one) => one.device === device.endpoint).map(({ message }) => message);

/** A person with a session, whose phone shows notifications. */
async function withPhone(name: string) {
  const person = await signUp(server, name);
  const phone = service.subscribe();
  await register(person, phone);
  return { ...asCommenter(person), person, phone };
}
const register = (person: Pick<Person, "client">, device: TestDevice) =>
  person.client.rpc("register_push_device", device).throwOnError();
const asCommenter = ({ id, email }: Person): Commenter => ({
  id,
  email,
  caller: { role: "authenticated", sub: id, aud: "authenticated" },
});

beforeEach(async () => {
  await db.exec("delete from private.outbox; delete from auth.users");
});

describe("notifications on a device", () => {
  test("a comment is told by name and without its words, encrypted, and leads to it", async () => {
    const ada = await withPhone("Ada");
    const gina = await commenter(db, "Gina");
    const memory = await memoryOf(db, ada, { contributor: gina });
    const comment = await say(db, gina, memory, "Ricordi la barca?");
    await tellPeople(db, later(0));
    await send();
    expect(messagesTo(ada.phone)).toEqual([
      {
        title: "Nonna Rosa",
        body: "Gina wrote a comment",
        path: `/memory/${memory}#comment-${comment}`,
        tag: memory,
        unread: 1,
      },
    ]);
    const [{ sealed, headers } = { sealed: Buffer.from("Gina"), headers: {} }] = service.received.slice(-1);
    expect(sealed.toString("latin1")).not.toContain("Gina");
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "86400" });
  });

  test("the text is in the reader's language", async () => {
    const ada = await withPhone("Ada");
    await ada.person.client.auth.updateUser({ data: { language: "it" } });
    const gina = await commenter(db, "Gina");
    await addPhotos(db, gina, await memoryOf(db, ada, { contributor: gina }), 12);
    await tellPeople(db, later(3 * MINUTE));
    await send();
    expect(messagesTo(ada.phone)).toMatchObject([{ body: "Gina ha aggiunto 12 foto, video e registrazioni" }]);
  });

  test("photos that arrive one by one are one notification, and the next comes a quarter of an hour later", async () => {
    const ada = await withPhone("Ada");
    const gina = await commenter(db, "Gina");
    const memory = await memoryOf(db, ada, { contributor: gina });
    await addPhotos(db, gina, memory, 2);
    await addPhotos(db, gina, memory, 3);
    await tellPeople(db, later(MINUTE));
    await send();
    expect(messagesTo(ada.phone)).toEqual([]);
    await tellPeople(db, later(3 * MINUTE));
    await send(later(4 * MINUTE));
    expect(messagesTo(ada.phone)).toMatchObject([{ body: "Gina added 5 photos, videos and recordings" }]);
    await say(db, gina, memory, "Guarda");
    await addPhotos(db, gina, memory, 1);
    await tellPeople(db, later(10 * MINUTE));
    await send(later(11 * MINUTE));
    expect(messagesTo(ada.phone)).toHaveLength(1);
    await tellPeople(db, later(20 * MINUTE));
    await send(later(21 * MINUTE));
    expect(messagesTo(ada.phone).at(-1)).toMatchObject({
      body: "Gina wrote a comment\nGina added 6 photos, videos and recordings",
      path: `/memory/${memory}`,
      unread: 2,
    });
  });

  test("each device of a person is told, also by two processes at once, and once", async () => {
    const ada = await withPhone("Ada");
    const client = server.client();
    await client.auth.signInWithPassword({ email: ada.email, password: ada.person.password });
    const tablet = service.subscribe();
    await register({ client }, tablet);
    const gina = await commenter(db, "Gina");
    await say(db, gina, await memoryOf(db, ada, { contributor: gina }), "Ciao");
    await Promise.all([1, 2, 3].map(() => enqueueDuePushes(db, later(0))));
    await Promise.all([1, 2, 3].map(() => send()));
    expect([messagesTo(ada.phone), messagesTo(tablet)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test.each([
    "the comment was read",
    "the comment was deleted",
    "the right ended",
    "the person signed out",
    "the account was suspended",
  ])("nothing is told when %s meanwhile", async (cause) => {
    const [owner, ada] = [await commenter(db, "Olga"), await withPhone("Ada")];
    const gina = await commenter(db, "Gina");
    const memory = await memoryOf(db, owner, { contributor: gina, "co-owner": ada });
    const comment = await say(db, gina, memory, "Ciao");
    await tellPeople(db, later(0));
    if (cause === "the comment was read")
      await db.query("update notices set read_at = now() where user_id = $1", [ada.id]);
    if (cause === "the comment was deleted") await db.query("delete from comments where id = $1", [comment]);
    if (cause === "the right ended") await db.query("delete from memory_members where user_id = $1", [ada.id]);
    if (cause === "the person signed out") await ada.person.client.auth.signOut();
    if (cause === "the account was suspended")
      await db.query("update auth.users set banned_until = now() + interval '1 day' where id = $1", [ada.id]);
    await send();
    expect(messagesTo(ada.phone)).toEqual([]);
  });

  test("hard days are quiet, and so is a memory that was turned off", async () => {
    const ada = await withPhone("Ada");
    await givePlan(db, ada.id);
    const gina = await commenter(db, "Gina");
    const [quiet, paused] = [
      await memoryOf(db, ada, { contributor: gina }),
      await memoryOf(db, ada, { contributor: gina }),
    ];
    const { client } = ada.person;
    await client.from("notice_preferences").insert({ memory_id: quiet, push: false }).throwOnError();
    await client.from("notice_preferences").insert({ memory_id: paused, paused_until: "2999-01-01" }).throwOnError();
    for (const memory of [quiet, paused]) await say(db, gina, memory, "Ciao");
    await tellPeople(db, later(0));
    await send();
    expect(messagesTo(ada.phone)).toEqual([]);
    expect((await db.query("select from private.notice_pushes")).rows).toEqual([]);
  });

  test("a message that its service cannot take now is sent later, and a device that is gone is forgotten", async () => {
    const [ada, bob] = [await withPhone("Ada"), await withPhone("Bob")];
    const gina = await commenter(db, "Gina");
    const memory = await memoryOf(db, ada, { contributor: gina, "co-owner": bob });
    service.answer(ada.phone, 503);
    service.answer(bob.phone, 410);
    await say(db, gina, memory, "Ciao");
    await tellPeople(db, later(0));
    await send();
    expect((await bob.person.client.from("push_devices").select("endpoint")).data).toEqual([]);
    service.answer(ada.phone, 201);
    await send(later(10 * MINUTE));
    expect(messagesTo(ada.phone)).toHaveLength(1);
    expect(messagesTo(bob.phone)).toEqual([]);
  });
});

describe("registering a device", () => {
  test("a browser that another person used tells only the one who registered it last", async () => {
    const [ada, bob] = [await withPhone("Ada"), await signUp(server, "Bob")];
    await register(bob, ada.phone);
    expect((await ada.person.client.from("push_devices").select("endpoint")).data).toEqual([]);
    expect((await bob.client.from("push_devices").select("endpoint")).data).toEqual([{ endpoint: ada.phone.endpoint }]);
  });

  test("a device is registered once for a session, and not by visitors", async () => {
    const ada = await withPhone("Ada");
    const next = service.subscribe();
    await register(ada.person, next);
    expect((await ada.person.client.from("push_devices").select("endpoint")).data).toEqual([
      { endpoint: next.endpoint },
    ]);
    expect((await server.client().rpc("register_push_device", next)).error?.code).toBe("42501");
  });

  test("nobody reads, changes or invents the devices of others, or reads the keys of their own", async () => {
    const [ada, bob] = [await withPhone("Ada"), await signUp(server, "Bob")];
    expect((await bob.client.from("push_devices").select("endpoint")).data).toEqual([]);
    await bob.client.from("push_devices").delete().eq("user_id", ada.id);
    expect((await ada.person.client.from("push_devices").select("endpoint")).data).toHaveLength(1);
    expect((await ada.person.client.from("push_devices").select("auth" as "endpoint")).error?.code).toBe("42501");
    const { error } = await bob.client
      .from("push_devices")
      .insert({ ...service.subscribe(), session_id: crypto.randomUUID(), user_id: ada.id } as never);
    expect(error?.code).toBe("42501");
  });

  test.each([
    "http://fcm.googleapis.com/x",
    "https://127.0.0.1/fcm.googleapis.com/",
    "https://fcm.googleapis.com@127.0.0.1/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evilfcm.googleapis.com.example/x",
    "https://evil-fcm.googleapis.com:8443/x",
    "https://fcm.googleapis.com\\@127.0.0.1/x",
    "https://fcm.googleapis.com/x\r\nhost: 127.0.0.1",
    `https://fcm.googleapis.com/${"x".repeat(1000)}`,
  ])("the server sends to no other host than a push service: %s", async (endpoint) => {
    const ada = await signUp(server, "Ada");
    const { error } = await ada.client.rpc("register_push_device", { ...service.subscribe(), endpoint });
    expect(error?.code).toBe("23514");
  });
});

describe("the installation's key", () => {
  test("stays the same for every process and every start", async () => {
    const secret = randomBytes(32);
    const first = await Promise.all([1, 2, 3].map(() => openPushKey(db, [secret])));
    expect(new Set(first.map(({ publicKey }) => publicKey)).size).toBe(1);
    expect(await openPushKey(db, [randomBytes(32), secret])).toEqual(first[0]);
  });

  test("is replaced under an unknown secret, and devices that know the former one are forgotten", async () => {
    const ada = await withPhone("Ada");
    const former = await openPushKey(db, [randomBytes(32)]);
    expect(await openPushKey(db, [randomBytes(32)])).not.toEqual(former);
    expect((await ada.person.client.from("push_devices").select("endpoint")).data).toEqual([]);
  });
});
