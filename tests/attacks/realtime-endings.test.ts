import { beforeEach, expect, test } from "vitest";
import { changesIn, follow, names } from "../support/changes.ts";
import { emptyDatabase } from "../support/database.ts";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";

const server = await testServer();
const second = await testServer({}, server);
const { db } = server;
const { rename, visitorOf } = changesIn(server);

let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Grandmother");
});

/** Signs a person in on a second device. */
async function deviceOf(person: Person) {
  const client = server.client();
  const { data } = await client.auth.signInWithPassword(person);
  return { client, token: data.session?.access_token ?? "" };
}

const shareWith = (userId: string) =>
  db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'viewer')", [ada.memoryId, userId]);

test.each<[string, (person: Person) => Promise<{ error: unknown }>]>([
  ["signs out", ({ client }) => client.auth.signOut({ scope: "local" })],
  [
    "ends the session from another device",
    async (person) => {
      const other = await deviceOf(person);
      const { data } = await other.client.rpc("my_sessions");
      const sessions = data as { id: string; is_current: boolean }[];
      return other.client.rpc("end_session", { session_id: sessions.find((session) => !session.is_current)?.id });
    },
  ],
  [
    "chooses a new password on another device",
    async (person) => {
      const other = await deviceOf(person);
      return other.client.auth.updateUser({
        password: "another good password",
        current_password: person.password,
      } as never);
    },
  ],
  ["is banned", ({ id }) => server.service().auth.admin.updateUserById(id, { ban_duration: "1h" })],
  ["is deleted", ({ id }) => server.service().auth.admin.deleteUser(id)],
])("the channels of a person end, on every process, when that person %s", async (_what, end) => {
  const person = await signUp(server, "Bob");
  await shareWith(person.id);
  const channels = await Promise.all(
    [server, second].map((at) => follow(at.client(person.token), { filter: `id=eq.${ada.memoryId}` })),
  );
  const owner = await follow(server.client(ada.token));
  await rename(ada, "Granny");
  await expect.poll(() => [owner, ...channels].map(({ events }) => names(events))).toEqual(Array(3).fill(["Granny"]));

  expect((await end(person)).error).toBeNull();
  await rename(ada, "Nana");
  await expect.poll(() => channels.map(({ states }) => states.at(-1))).toEqual(["CLOSED", "CLOSED"]);
  for (const { events, system } of channels) {
    expect(system.at(-1)).toMatchObject({ status: "error", message: "The session of the token has ended" });
    expect(names(events)).toEqual(["Granny"]);
  }
  await expect.poll(() => names(owner.events)).toEqual(["Granny", "Nana"]);
});

test("a token whose session has ended cannot join a channel", async () => {
  const person = await signUp(server, "Bob");
  await db.query("delete from auth.sessions where user_id = $1", [person.id]);
  const client = server.client(person.token);
  await client.realtime.setAuth();
  const states: string[] = [];
  client
    .channel("late")
    .on("postgres_changes", { event: "*", schema: "public", table: "memories" }, () => {})
    .subscribe((state, error) => states.push(`${state}: ${error?.message}`));
  await expect.poll(() => states[0]).toMatch(/CHANNEL_ERROR: InvalidJWTToken: The session/);
  await client.removeAllChannels();
});

test("the channel of an expired session is closed", async () => {
  const person = await signUp(server, "Bob");
  await shareWith(person.id);
  const channel = await follow(server.client(person.token));
  await db.query("update auth.sessions set not_after = now() where user_id = $1", [person.id]);
  await expect.poll(() => channel.states.at(-1)).toBe("CLOSED");
});

test.each([
  ["a revoked link", "update share_links set revoked_at = now() where id = $1"],
  ["a link whose time has passed", "update share_links set expires_at = now() where id = $1"],
  ["a link with other rights", "update share_links set rights = 'upload' where id = $1"],
  [
    "a link to a memory that is a draft again",
    "update memories set draft = true where id = (select memory_id from share_links where id = $1)",
  ],
])("visitors receive no change that is committed after their access ends: %s", async (_what, sql) => {
  const visitor = await follow(server.client(await visitorOf(ada)));
  const owner = await follow(server.client(ada.token), { filter: "person_name=eq.Granny" });
  await db.query(sql, [ada.linkId]);
  await rename(ada, "Granny");
  await expect.poll(() => names(owner.events)).toContain("Granny");
  expect(visitor.events).toEqual([]);
});

test("a person receives no change that is committed after their membership ends", async () => {
  const person = await signUp(server, "Bob");
  await shareWith(person.id);
  const member = await follow(server.client(person.token));
  const owner = await follow(server.client(ada.token));
  await rename(ada, "Granny");
  await expect.poll(() => names(member.events)).toEqual(["Granny"]);
  await db.query("delete from memory_members where user_id = $1", [person.id]);
  await rename(ada, "Nana");
  await expect.poll(() => names(owner.events)).toEqual(["Granny", "Nana"]);
  expect(names(member.events)).toEqual(["Granny"]);
});
