import { beforeAll, expect, test } from "vitest";
import { newKey, sign } from "../support/guests.ts";
import { type Person, signUp, signUpWithPlan } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { newMemory, newRow, post } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer();
let ada: Person;
let bob: Person;
let eve: Person;
let memoryId: string;

beforeAll(async () => {
  [ada, bob, eve] = await Promise.all([signUpWithPlan(server, "Ada"), signUp(server, "Bob"), signUp(server, "Eve")]);
  memoryId = (await newMemory(ada.client, { person_name: "Nonna" })).id;
});

/** Invites an address. Resolves to the invitation's id, and to a function that opens the letter. */
async function invite(email: string, role: string) {
  const { id } = await newRow(ada.client, "invitations", { memory_id: memoryId, email, role });
  const letter = await ada.client
    .rpc("invitation_email", { invitation_id: id })
    .single<{ share_id: string; token: string }>()
    .throwOnError();
  const body = { shareId: letter.data.share_id, invitation: letter.data.token };
  const open = async (as?: Person) =>
    String((await post(server, "open-share", body, as ? { authorization: `Bearer ${as.token}` } : {})).body.token);
  return { id, open };
}

/** Fails if this token's holder may add anything to the memory. */
async function expectNothingAdded(token: string) {
  const client = server.client(token);
  const rights = await client.rpc("memory_rights", { memory_id: memoryId }).throwOnError();
  expect(rights.data).toMatchObject({ contribute: false, comment: false, manage: false });
  for (const [table, row] of [
    ["comments", { body: "Hello" }],
    ["stories", { body: "<p>Hello</p>" }],
    ["reactions", { kind: "candle" }],
    ["memory_entries", { title: "Hello" }],
    ["prompts", { text: "Hello?" }],
  ] as const) {
    expect([table, (await client.from(table).insert({ memory_id: memoryId, ...row })).error?.code]).toEqual([
      table,
      "42501",
    ]);
  }
  const { error } = await client.storage.from("media").upload(freshName(memoryId), await jpeg());
  expect(error?.message).toContain("row-level security");
}

test("the holder of a forwarded co-owner's letter adds nothing, with and without an account", async () => {
  const { open } = await invite("co-owner@example.com", "co-owner");
  for (const token of [await open(), await open(eve)]) {
    await expectNothingAdded(token);
    expect((await sign(server, token)).status).toBe(403);
  }
});

test("a contributor's letter that becomes a co-owner's adds nothing any more, by earlier tokens neither", async () => {
  const { id, open } = await invite("contributor@example.com", "contributor");
  const earlier = [await open(), await open(eve)];
  await ada.client.from("invitations").update({ role: "co-owner" }).eq("id", id).throwOnError();
  for (const token of [...earlier, await open(), await open(eve)]) await expectNothingAdded(token);
});

test("a letter that was accepted gives no guest a name", async () => {
  const { open } = await invite("aunt@example.com", "contributor");
  const token = await open();
  const guestKey = newKey();
  const guest = String((await sign(server, token, { guestKey })).body.token);
  await server
    .client(await open(bob))
    .rpc("accept_emailed_invitation")
    .throwOnError();
  for (const [entryToken, key] of [
    [token, newKey()],
    [guest, guestKey],
  ]) {
    await expectNothingAdded(String(entryToken));
    expect(await sign(server, entryToken, { guestKey: key, name: "Ugo" })).toMatchObject({
      status: 401,
      body: { code: "invitation_accepted" },
    });
  }
  const { rows } = await server.db.query<{ name: string }>("select name from guests");
  expect(rows).toEqual([{ name: "Gina" }]);
});
