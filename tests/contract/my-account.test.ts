import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { keepSweeping } from "../support/jobs.ts";
import { enqueuedTo, newestTo } from "../support/mailbox.ts";
import { type Person, signUp } from "../support/people.ts";
import { photoPaths } from "../support/photos.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
keepSweeping(server);

interface Session {
  id: string;
  user_agent: string;
  ip: string;
  is_current: boolean;
}
const sessionsOf = async (person: Person) => {
  const { data, error } = await person.client.rpc("my_sessions");
  expect(error).toBeNull();
  return data as Session[];
};

/** Creates a memory with one photo. */
async function memoryOf(person: Person) {
  const { data, error } = await person.client.from("memories").insert({ person_name: "Nonna" }).select("id").single();
  expect(error).toBeNull();
  const [path = ""] = await photoPaths("beach.jpg");
  const name = `${data?.id}/${randomUUID()}.jpg`;
  const stored = await person.client.storage
    .from("media")
    .upload(name, await readFile(path), { contentType: "image/jpeg" });
  expect(stored.error).toBeNull();
  return { id: String(data?.id), name };
}

const call = (name: string, bearer: string | undefined, body: object = {}) =>
  fetch(`${server.url}/functions/v1/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) },
    body: JSON.stringify(body),
  });

test("a person sees where they are signed in, this device first", async () => {
  const ada = await signUp(server, "Ada");
  await server.client().auth.signInWithPassword(ada);
  const sessions = await sessionsOf(ada);
  expect(sessions.map(({ is_current }) => is_current)).toEqual([true, false]);
  expect(sessions[0]).toMatchObject({ user_agent: "node", ip: "127.0.0.1", last_seen_at: expect.any(String) });
});

test("a person signs out one of their devices, and nobody else's", async () => {
  const [ada, bob] = [await signUp(server, "Ada"), await signUp(server, "Bob")];
  const phone = server.client();
  const refreshToken = (await phone.auth.signInWithPassword(ada)).data.session?.refresh_token ?? "";
  const other = (await sessionsOf(ada)).find(({ is_current }) => !is_current);
  const [bobs] = await sessionsOf(bob);
  expect((await ada.client.rpc("end_session", { session_id: bobs?.id })).data).toBe(false);
  expect((await ada.client.rpc("end_session", { session_id: other?.id })).data).toBe(true);
  expect((await phone.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  const refreshed = await server.client().auth.refreshSession({ refresh_token: refreshToken });
  expect(refreshed.error?.code).toBe("refresh_token_not_found");
  expect(await sessionsOf(ada)).toHaveLength(1);
  expect(await sessionsOf(bob)).toHaveLength(1);
});

test("visitors have no sessions to see or to end", async () => {
  const visitor = server.client();
  expect((await visitor.rpc("my_sessions")).error?.code).toBe("42501");
  expect((await visitor.rpc("end_session", { session_id: randomUUID() })).error?.code).toBe("42501");
});

test("a person's data export contains their data and nothing of others", async () => {
  const [ada, bob] = [await signUp(server, "Ada"), await signUp(server, "Bob")];
  const hers = await memoryOf(ada);
  await memoryOf(bob);
  const { data, error } = await ada.client.functions.invoke("my-data");
  expect(error).toBeNull();
  expect(data).toMatchObject({
    account: { id: ada.id, email: ada.email, user_metadata: { full_name: "Ada" } },
    profile: [{ id: ada.id, full_name: "Ada" }],
    devices: [{ is_current: true }],
    memories: [
      { id: hers.id, person_name: "Nonna", media: [{ object_name: hers.name }], share_links: [{ memory_id: hers.id }] },
    ],
  });
  expect(JSON.stringify(data)).not.toMatch(/argon2|encrypted_password|\$19\$/);
  expect(JSON.stringify(data)).not.toContain(bob.id);
});

test("a deleted account is removed with its data and files", async () => {
  const ada = await signUp(server, "Ada");
  const { name } = await memoryOf(ada);
  const { data, error } = await ada.client.functions.invoke("delete-account", { body: { password: ada.password } });
  expect([data, error]).toEqual([{ deleted: true }, null]);
  expect((await server.client().auth.signInWithPassword(ada)).error?.code).toBe("invalid_credentials");
  expect((await ada.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  const { rows } = await server.db.query(
    `select 'user' as what from auth.users where id = $1 union all select 'profile' from profiles where id = $1
     union all select 'memory' from memories where user_id = $1 union all select 'object' from storage.objects where name = $2`,
    [ada.id, name],
  );
  expect(rows).toEqual([]);
  expect(await enqueuedTo(server, ada.email)).toEqual([]);
  await expect.poll(async () => (await server.db.query("select from storage.discarded")).rows.length).toBe(0);
});

test("a person without a password can delete their account with a mailed code", async () => {
  const email = `${randomUUID()}@example.com`;
  const client = server.client();
  await client.auth.signInWithOtp({ email });
  await client.auth.verifyOtp({ email, token: (await newestTo(server, email)).code, type: "email" });
  await client.auth.reauthenticate();
  const { code } = await newestTo(server, email, "reauthentication");
  expect((await client.functions.invoke("delete-account", { body: { nonce: code } })).data).toEqual({ deleted: true });
});

const ada = await signUp(server, "Ada");
test.each<[string, string | undefined, object, number, string]>([
  ["a request without a token", undefined, { password: ada.password }, 401, "no_authorization"],
  ["a visitor", server.keys.publishable, { password: ada.password }, 401, "no_authorization"],
  ["the service's key", server.keys.secret, { password: ada.password }, 401, "no_authorization"],
  ["garbage", "garbage", { password: ada.password }, 401, "bad_jwt"],
  ["its person without proof", ada.token, {}, 400, "reauthentication_needed"],
  ["its person with a wrong password", ada.token, { password: "not the password" }, 422, "invalid_credentials"],
  ["its person with a wrong code", ada.token, { nonce: "000000" }, 422, "reauthentication_not_valid"],
  ["a malformed request", ada.token, { password: 7 }, 400, "malformed"],
])("an account is not deleted for %s", async (_who, bearer, body, status, code) => {
  const reply = await call("delete-account", bearer, body);
  expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([status, code]);
  expect((await ada.client.auth.getUser()).data.user?.id).toBe(ada.id);
});

test("password guesses by way of deleting an account are limited", async () => {
  const eve = await signUp(server, "Eve");
  const guesses = Array.from({ length: 12 }, () => call("delete-account", eve.token, { password: "a guess" }));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 422)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

test.each([undefined, server.keys.publishable, server.keys.secret, "garbage"])(
  "the data export is refused to the bearer %s",
  async (bearer) => {
    expect((await call("my-data", bearer)).status).toBe(401);
  },
);
