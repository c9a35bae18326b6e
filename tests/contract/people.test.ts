import { beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { type Person, signUp, signUpWithPlan } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const { db } = server;
let ada: Person;
let bob: Person;
let eve: Person;
let memoryId: string;

beforeEach(async () => {
  await emptyDatabase(db);
  [ada, bob, eve] = await Promise.all([
    signUpWithPlan(server, "Ada"),
    signUpWithPlan(server, "Bob"),
    signUp(server, "Eve"),
  ]);
  memoryId = await newMemory(ada);
});

async function newMemory(person: Person) {
  const { data } = await person.client.from("memories").insert({ person_name: "Nonna" }).select("id").single();
  return String(data?.id);
}
async function invite(by: Person, email: string, role = "viewer") {
  const id = crypto.randomUUID();
  const { error } = await by.client.from("invitations").insert({ id, memory_id: memoryId, email, role });
  return { id, error };
}
const answer = (person: Person, id: string, accept = true) =>
  person.client.rpc("answer_invitation", { invitation_id: id, accept });
const roleOf = async (person: Person) =>
  (await person.client.rpc("memory_rights", { memory_id: memoryId })).data?.role as string | null;
async function join(person: Person, role: string) {
  await answer(person, (await invite(ada, person.email, role)).id);
}

test("an invited person finds the invitation by their confirmed address and accepts it", async () => {
  const { id } = await invite(ada, bob.email, "contributor");
  expect((await bob.client.rpc("my_invitations")).data).toMatchObject([
    { id, memory_id: memoryId, person_name: "Nonna", role: "contributor", inviter_name: "Ada" },
  ]);
  expect((await eve.client.rpc("my_invitations")).data).toEqual([]);
  const [once, twice] = await Promise.all([answer(bob, id), answer(bob, id)]);
  expect([once.data, twice.data]).toEqual([memoryId, memoryId]);
  expect(await roleOf(bob)).toBe("contributor");
  expect((await bob.client.rpc("my_invitations")).data).toEqual([]);
});

test("an invitation cannot be accepted by another address or an unconfirmed one", async () => {
  const { id } = await invite(ada, bob.email);
  expect((await answer(eve, id)).status).toBe(404);
  await db.query("update auth.users set email_confirmed_at = null where id = $1", [bob.id]);
  expect((await bob.client.rpc("my_invitations")).data).toEqual([]);
  expect((await answer(bob, id)).status).toBe(404);
  expect(await roleOf(bob)).toBeNull();
});

test("a person who registers with the invited address has the invitation at once", async () => {
  const email = `new.${crypto.randomUUID()}@example.com`;
  await invite(ada, email);
  const client = server.client();
  await client.auth.signUp({ email, password: "a chair in the garden" });
  expect((await client.rpc("my_invitations")).data).toHaveLength(1);
});

test("one address has one open invitation to a memory; a withdrawn or declined one can be made again", async () => {
  const { id } = await invite(ada, bob.email);
  expect((await invite(ada, bob.email)).error?.code).toBe("23505");
  await ada.client.from("invitations").update({ state: "withdrawn" }).eq("id", id).throwOnError();
  expect((await answer(bob, id)).status).toBe(409);
  const second = await invite(ada, bob.email);
  expect((await answer(bob, second.id, false)).data).toBe(memoryId);
  expect((await answer(bob, second.id)).status).toBe(409);
  expect((await invite(ada, bob.email)).error).toBeNull();
});

test.each(["anna@example..org", "anna@.example.org", "anna@example"])("nobody is invited at %s", async (email) => {
  expect((await invite(ada, email)).error).toMatchObject({ code: "23514" });
});

test("an invitation never lowers the role of a member or owner", async () => {
  await join(bob, "co-owner");
  await join(bob, "viewer");
  expect(await roleOf(bob)).toBe("co-owner");
  await answer(ada, (await invite(bob, ada.email, "viewer")).id);
  expect(await roleOf(ada)).toBe("owner");
});

test("managers invite, and the owner alone invites to co-own", async () => {
  await join(bob, "co-owner");
  const address = () => `${crypto.randomUUID()}@example.com`;
  expect((await invite(bob, address(), "contributor")).error).toBeNull();
  expect((await invite(bob, address(), "co-owner")).error?.code).toBe("42501");
  await join(eve, "contributor");
  expect((await invite(eve, address())).error?.code).toBe("42501");
  // She sees only the invitation to herself, so that it can appear and disappear while she looks.
  expect((await eve.client.from("invitations").select("email")).data).toEqual([{ email: eve.email }]);
});

test("managers change roles below their own; only the owner makes and demotes co-owners", async () => {
  await join(bob, "co-owner");
  await join(eve, "viewer");
  const set = (by: Person, who: Person, role: string) =>
    by.client.from("memory_members").update({ role }).eq("memory_id", memoryId).eq("user_id", who.id).select("role");
  expect((await set(bob, eve, "contributor")).data).toEqual([{ role: "contributor" }]);
  expect((await set(bob, eve, "co-owner")).error?.code).toBe("42501");
  expect((await set(eve, eve, "co-owner")).data).toEqual([]);
  expect((await set(bob, bob, "viewer")).error?.code).toBe("42501");
  expect((await set(ada, eve, "co-owner")).data).toEqual([{ role: "co-owner" }]);
  expect((await set(eve, bob, "viewer")).error?.code).toBe("42501");
  expect((await set(ada, bob, "viewer")).data).toEqual([{ role: "viewer" }]);
  expect([await roleOf(bob), await roleOf(eve)]).toEqual(["viewer", "co-owner"]);
});

test("a member can leave, and loses access at once", async () => {
  await join(eve, "viewer");
  await eve.client.from("memory_members").delete().eq("memory_id", memoryId).eq("user_id", eve.id).throwOnError();
  expect(await roleOf(eve)).toBeNull();
  expect((await eve.client.from("memories").select("id").eq("id", memoryId)).data).toEqual([]);
});

test("the people of a memory learn each other's names and roles, and nobody else does", async () => {
  await join(bob, "viewer");
  const people = (person: Person) => person.client.rpc("memory_people", { memory_id: memoryId });
  expect((await people(bob)).data).toEqual([
    { id: ada.id, name: "Ada", role: "owner" },
    { id: bob.id, name: "Bob", role: "viewer" },
  ]);
  expect((await people(eve)).data).toEqual([]);
});

const offer = (to: Person) => ada.client.from("handovers").insert({ memory_id: memoryId, to_user: to.id });
const take = (person: Person) => person.client.rpc("accept_handover", { memory_id: memoryId });

test("a memory is handed over once its receiver accepts, and the former owner becomes a co-owner", async () => {
  const { data: album } = await ada.client.from("albums").insert({ name: "Family" }).select("id").single();
  await ada.client.rpc("put_in_album", { album_id: album?.id, ids: [memoryId] }).throwOnError();
  await join(bob, "viewer");
  expect((await take(bob)).status).toBe(404);
  expect((await offer(eve)).error?.code).toBe("23503");
  expect((await offer(bob)).error).toBeNull();
  expect(await roleOf(bob)).toBe("viewer");
  expect((await take(eve)).status).toBe(404);
  const both = await Promise.all([take(bob), take(bob)]);
  expect(both.map(({ error }) => error === null).sort()).toEqual([false, true]);
  expect([await roleOf(bob), await roleOf(ada)]).toEqual(["owner", "co-owner"]);
  expect((await db.query("select album_id, user_id from memories where id = $1", [memoryId])).rows).toEqual([
    { album_id: null, user_id: bob.id },
  ]);
  expect((await bob.client.from("handovers").select()).data).toEqual([]);
});

test("a memory that exceeds the receiver's plan is not handed over", async () => {
  await newMemory(eve);
  await join(eve, "viewer");
  await offer(eve);
  expect(await take(eve)).toMatchObject({ status: 402, error: { hint: "memory_limit" } });
  expect([await roleOf(ada), await roleOf(eve)]).toEqual(["owner", "viewer"]);
  await db.query("delete from memories where user_id = $1", [eve.id]);
  await db.query("update private.account_use set stored = 2000000000 where account = $1", [eve.id]);
  await db.query(
    `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
     values ('media', $1, $2::uuid, $2::uuid::text, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1000}')`,
    [`${memoryId}/${crypto.randomUUID()}.jpg`, ada.id],
  );
  expect(await take(eve)).toMatchObject({ status: 507, error: { hint: "storage_full" } });
  expect(await roleOf(ada)).toBe("owner");
});

test("a handover can be withdrawn by its sender or declined by its receiver, and ends when they leave", async () => {
  await join(bob, "viewer");
  const drop = (person: Person) => person.client.from("handovers").delete().eq("memory_id", memoryId).select();
  await offer(bob);
  expect((await drop(ada)).data).toHaveLength(1);
  await offer(bob);
  expect((await drop(bob)).data).toHaveLength(1);
  await offer(bob);
  await bob.client.from("memory_members").delete().eq("memory_id", memoryId).eq("user_id", bob.id);
  expect((await ada.client.from("handovers").select()).data).toEqual([]);
});
