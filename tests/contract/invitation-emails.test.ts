import { beforeEach, describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { type Person, signUp, signUpWithPlan } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { newRow, open, post } from "../support/sharing.ts";
import { openSocket } from "../support/socket.ts";

const server = await testServer();
const { db } = server;
const WRONG = "0".repeat(64);
let ada: Person;
let bob: Person;
let memoryId: string;
let invitationId: string;
let letter: { share_id: string; token: string };

beforeEach(async () => {
  await emptyDatabase(db);
  [ada, bob] = await Promise.all([signUpWithPlan(server, "Ada"), signUp(server, "Bob")]);
  memoryId = (await newRow(ada.client, "memories", { person_name: "Nonna" })).id;
  [invitationId, letter] = await inviteTo("aunt@example.com", "contributor");
});

async function inviteTo(email: string, role: string): Promise<[string, { share_id: string; token: string }]> {
  const row = { memory_id: memoryId, email, role };
  const data = await newRow(ada.client, "invitations", row);
  return [data.id, await newLetter(data.id)];
}
const newLetter = async (id: string) =>
  (await ada.client.rpc("invitation_email", { invitation_id: id }).single<typeof letter>().throwOnError()).data;

/** Opens a link with the token of an email, anonymously or signed in. */
const read = ({ share_id, token }: typeof letter, as?: Person, more: object = {}) =>
  post(
    server,
    "open-share",
    { shareId: share_id, invitation: token, ...more },
    as ? { authorization: `Bearer ${as.token}` } : {},
  );
const withdraw = (id = invitationId) =>
  ada.client.from("invitations").update({ state: "withdrawn" }).eq("id", id).throwOnError();
const keep = (token: unknown) => server.client(String(token)).rpc("accept_emailed_invitation");
const seen = async (token: unknown) => (await server.client(String(token)).from("memories").select("id")).data;

describe("the email of an invitation", () => {
  test("opens the memory for its reader, without a PIN and without an account, as often as they come back", async () => {
    await post(
      server,
      "share-pin",
      { linkId: (await db.query("select id from share_links where is_first")).rows[0]?.id, pin: "0417" },
      { authorization: `Bearer ${ada.token}` },
    );
    for (let time = 0; time < 2; time++) {
      const { status, body } = await read(letter);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          memoryId,
          rights: "contribute",
          guest: null,
          invitation: { email: "aunt@example.com", accepted: false },
        },
      });
      expect(await seen(body.token)).toEqual([{ id: memoryId }]);
    }
    // Sending an email again does not invalidate the first one.
    const second = await newLetter(invitationId);
    expect(second.share_id).toBe(letter.share_id);
    expect([(await read(second)).status, (await read(letter)).status]).toEqual([200, 200]);
  });

  test("has a token that is stored as a hash, and its link opens nothing without it and asks for no PIN", async () => {
    const { rows } = await db.query<{ hash: string }>("select hash from private.invitation_tokens");
    expect(rows.map(({ hash }) => hash)).not.toContain(letter.token);
    const incomplete = { status: 401, body: { code: "invitation_incomplete" } };
    expect(await open(server, letter.share_id)).toMatchObject(incomplete);
    expect(await open(server, letter.share_id, "0417")).toMatchObject(incomplete);
    // It says the same after the invitation has ended, and to somebody else than the person who accepted it.
    await keep((await read(letter, bob)).body.token);
    expect(await open(server, letter.share_id)).toMatchObject(incomplete);
    const [other, others] = await inviteTo("uncle@example.com", "viewer");
    await withdraw(other);
    expect(await open(server, others.share_id)).toEqual(await open(server, letter.share_id));
  });

  test("is sent again to the invited address when its link was cut, and tells nothing about other links", async () => {
    const again = (shareId: string) => post(server, "invitation-again", { shareId, language: "it" });
    const unknown = await again("ThereIsNothingHere1234");
    expect(await again(letter.share_id)).toEqual(unknown);
    const { rows } = await db.query<{ recipient: string; language: string; props: { html: string } }>(
      "select recipient, language, props from private.outbox where template = 'note'",
    );
    expect(rows).toMatchObject([{ recipient: "aunt@example.com", language: "it" }]);
    const token = /#invitation=([0-9a-f]{64})"/.exec(rows[0]?.props.html ?? "")?.[1] ?? "";
    expect([(await read({ ...letter, token })).status, (await read(letter)).status]).toEqual([200, 200]);
    // Not more often than three times a day, and not after it was withdrawn.
    const [other, others] = await inviteTo("uncle@example.com", "viewer");
    await withdraw(other);
    expect(await again(others.share_id)).toEqual(unknown);
    for (let time = 0; time < 2; time++) expect((await again(letter.share_id)).status).toBe(202);
    expect((await again(letter.share_id)).status).toBe(429);
    const sent = await db.query("select from private.outbox where template = 'note'");
    expect(sent.rows).toHaveLength(3);
  });

  test("can be declined without an account, which can be undone, and by nobody without its token", async () => {
    const decline = (body: object) => post(server, "decline-invitation", { shareId: letter.share_id, ...body });
    const state = async () =>
      (await db.query<{ state: string }>("select state from invitations where id = $1", [invitationId])).rows[0]?.state;
    expect((await decline({ invitation: WRONG })).status).toBe(401);
    expect((await decline({})).status).toBe(400);
    expect(await state()).toBe("open");
    const opened = await read(letter);
    expect((await decline({ invitation: letter.token })).status).toBe(200);
    expect([await state(), (await read(letter)).status]).toEqual(["declined", 401]);
    expect(await seen(opened.body.token)).toEqual([]);
    expect((await decline({ invitation: WRONG, undo: true })).status).toBe(401);
    expect((await decline({ invitation: letter.token, undo: true })).status).toBe(200);
    expect([await state(), (await read(letter)).status]).toEqual(["open", 200]);
    // What a manager withdrew stays withdrawn.
    await withdraw();
    expect((await decline({ invitation: letter.token, undo: true })).status).toBe(401);
    expect([await state(), (await read(letter)).status]).toEqual(["withdrawn", 401]);
  });

  test("with a wrong token, or once withdrawn, declined or expired, is answered like an unknown one", async () => {
    const never = await read({ share_id: "ThereIsNothingHere1234", token: letter.token });
    expect(never).toMatchObject({ status: 401, body: { code: "invitation_unknown" } });
    const [other, others] = await inviteTo("uncle@example.com", "viewer");
    expect(await read({ ...letter, token: WRONG })).toEqual(never);
    expect(await read({ ...letter, token: others.token })).toEqual(never);
    await withdraw();
    expect(await read(letter)).toEqual(never);
    expect(await read(others)).toMatchObject({ status: 200, body: { rights: "view" } });
    await db.query("update share_links set expires_at = now() - interval '1 second' where invitation_id = $1", [other]);
    expect(await read(others)).toEqual(never);
    const [declined, third] = await inviteTo(bob.email, "viewer");
    await bob.client.rpc("answer_invitation", { invitation_id: declined, accept: false }).throwOnError();
    expect(await read(third)).toEqual(never);
  });

  test("is not locked by wrong tokens, because nobody can guess one", async () => {
    const wrong = () => read({ ...letter, token: WRONG });
    for (let n = 0; n < 25; n++) {
      expect(await wrong()).toMatchObject({ status: 401, body: { code: "invitation_unknown" } });
    }
    expect((await read(letter)).status).toBe(200);
  });

  test("can be requested only by managers, and only for open invitations", async () => {
    for (const who of [bob.client, server.client()]) {
      const { error } = await who.rpc("invitation_email", { invitation_id: invitationId });
      expect(error).not.toBeNull();
    }
    await withdraw();
    expect((await ada.client.rpc("invitation_email", { invitation_id: invitationId })).status).toBe(404);
  });
});

describe("a withdrawn invitation", () => {
  test("ends access at once to rows, photos, photo URLs, live updates and renewal", async () => {
    const name = `${memoryId}/${crypto.randomUUID()}.gif`;
    const pixel = Buffer.from("R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");
    const files = (token: unknown) => server.client(String(token)).storage.from("media");
    expect((await files(ada.token).upload(name, pixel, { contentType: "image/gif" })).error).toBeNull();
    const { body } = await read(letter);
    const { data: signed } = await files(body.token).createSignedUrl(name, 3600);
    expect((await fetch(signed?.signedUrl ?? "")).status).toBe(200);
    const socket = await openSocket(server, "2.0.0");
    const binding = { event: "*", schema: "public", table: "memories" };
    await socket.join({ access_token: String(body.token), config: { postgres_changes: [binding] } });
    await socket.heard("system");

    await withdraw();
    expect(await seen(body.token)).toEqual([]);
    expect((await files(body.token).download(name)).error).not.toBeNull();
    await expect.poll(async () => (await fetch(signed?.signedUrl ?? "")).status).not.toBe(200);
    expect((await read(letter, undefined, { held: body.token })).status).toBe(401);
    // A manager cannot turn the link of a withdrawn invitation on again either.
    await ada.client.from("share_links").update({ revoked_at: null }).eq("invitation_id", invitationId).throwOnError();
    expect((await read(letter)).status).toBe(401);

    const owners = await openSocket(server, "2.0.0");
    await owners.join({ access_token: ada.token, config: { postgres_changes: [binding] } });
    await owners.heard("system");
    await ada.client.from("memories").update({ person_name: "Granny" }).eq("id", memoryId).throwOnError();
    await owners.heard("postgres_changes");
    expect(socket.waiting("postgres_changes")).toEqual([]);
    socket.close();
    owners.close();
  });

  test("changes the link version that an open page reads", async () => {
    const { body } = await read(letter);
    const versions = () => server.client(String(body.token)).from("link_versions").select("version");
    expect((await versions()).data).toEqual([{ version: body.version }]);
    await withdraw();
    expect((await versions()).data).not.toEqual([{ version: body.version }]);
  });
});

describe("a memory that was opened by an email", () => {
  test("can be added to one account with the invited role, even under another address", async () => {
    const eve = await signUp(server, "Eve");
    const { body } = await read(letter, bob);
    expect(await keep(body.token)).toMatchObject({ data: memoryId, error: null });
    expect((await bob.client.rpc("memory_rights", { memory_id: memoryId })).data).toMatchObject({
      role: "contributor",
    });
    expect(await keep(body.token)).toMatchObject({ data: memoryId });
    expect((await read(letter, bob)).body.invitation).toEqual({ email: "aunt@example.com", accepted: true });
    expect((await keep((await read(letter, bob)).body.token)).data).toBe(memoryId);
    expect(await read(letter, eve)).toMatchObject({ status: 401, body: { code: "invitation_accepted" } });
  });

  test("is open to nobody else once it was accepted, not even on a page that they have open", async () => {
    const eve = await signUp(server, "Eve");
    const [anonymous, signedIn] = [(await read(letter)).body, (await read(letter, eve)).body];
    const devicesRemoved = async () =>
      (await server.client(String(anonymous.token)).from("link_versions").select("devices_removed").single()).data;
    const before = await devicesRemoved();
    await keep((await read(letter, bob)).body.token);
    for (const { token } of [anonymous, signedIn]) expect(await seen(token)).toEqual([]);
    expect(await devicesRemoved()).not.toEqual(before);
    for (const [as, token] of [
      [undefined, anonymous.token],
      [eve, signedIn.token],
    ] as const) {
      for (const more of [{}, { held: token }]) {
        expect(await read(letter, as, more)).toMatchObject({ status: 401, body: { code: "invitation_accepted" } });
      }
    }
    // Without the email's token nobody learns more than that the link is an invitation's.
    expect(await open(server, letter.share_id)).toMatchObject({ body: { code: "invitation_incomplete" } });
    expect(await read({ ...letter, token: WRONG })).toMatchObject({ body: { code: "invitation_unknown" } });
    expect(await seen((await read(letter, bob)).body.token)).toEqual([{ id: memoryId }]);
  });

  test("can be co-owned only by the invited address", async () => {
    const [, shared] = await inviteTo(bob.email, "co-owner");
    const eve = await signUp(server, "Eve");
    expect(await keep((await read(shared, eve)).body.token)).toMatchObject({
      status: 403,
      error: { hint: "other_address" },
    });
    // Whoever it was forwarded to can look, and nothing else.
    const { body: forwarded } = await read(shared);
    expect(forwarded).toMatchObject({ rights: "view" });
    const comment = { memory_id: memoryId, body: "Hello" };
    expect((await server.client(String(forwarded.token)).from("comments").insert(comment)).status).toBe(401);
    expect((await keep((await read(shared, bob)).body.token)).data).toBe(memoryId);
    expect((await read(shared, bob)).body).toMatchObject({ rights: "contribute" });
    expect((await bob.client.rpc("memory_rights", { memory_id: memoryId })).data).toMatchObject({ role: "co-owner" });
  });

  test("leaves the invitation open when the owner opens the email", async () => {
    expect((await keep((await read(letter, ada)).body.token)).data).toBe(memoryId);
    expect((await read(letter)).body.invitation).toMatchObject({ accepted: false });
  });

  test("is closed to an email whose person was removed or blocked", async () => {
    await keep((await read(letter, bob)).body.token);
    await ada.client.from("memory_members").delete().eq("user_id", bob.id).throwOnError();
    expect((await read(letter)).status).toBe(401);

    const [, second] = await inviteTo("cousin@example.com", "contributor");
    const { body } = await read(second);
    const signing = { guestKey: "k".repeat(40), name: "Cousin", language: "en", timeZone: "UTC" };
    const signed = await post(server, "sign-guest", signing, { authorization: `Bearer ${body.token}` });
    const guest = (signed.body.guest as { id: string }).id;
    await ada.client.rpc("block_person", { memory_id: memoryId, guest }).throwOnError();
    expect((await read(second)).status).toBe(401);
    expect(await seen(signed.body.token)).toEqual([]);
  });

  test("follows a changed role", async () => {
    await ada.client.from("invitations").update({ role: "viewer" }).eq("id", invitationId).throwOnError();
    expect((await read(letter)).body).toMatchObject({ rights: "view" });
  });

  test("Spec §6: a contributor who becomes a viewer can only read, also by their email, until they are one again", async () => {
    const { body } = await read(letter, bob);
    await keep(body.token);
    const say = async (token: unknown) =>
      (await server.client(String(token)).from("comments").insert({ memory_id: memoryId, body: "Hello" })).status;
    const asBob = async () => (await read(letter, bob)).body;
    const becomes = (role: string) =>
      ada.client.from("memory_members").update({ role }).eq("user_id", bob.id).throwOnError();

    await becomes("viewer");
    // Neither the token that they have nor a new one.
    expect(await say(body.token)).toBe(403);
    expect(await asBob()).toMatchObject({ rights: "view" });
    expect(await say((await asBob()).token)).toBe(403);
    expect(await seen((await asBob()).token)).toEqual([{ id: memoryId }]);

    for (const role of ["contributor", "viewer", "co-owner"]) {
      await becomes(role);
      expect(await asBob()).toMatchObject({ rights: role === "viewer" ? "view" : "contribute" });
    }
    expect(await say((await asBob()).token)).toBe(201);
  });

  test("gives the rights of a higher role that its person has already", async () => {
    await keep((await read(letter, bob)).body.token);
    const [second, lower] = await inviteTo(bob.email, "viewer");
    await bob.client.rpc("answer_invitation", { invitation_id: second, accept: true }).throwOnError();
    expect((await read(lower, bob)).body).toMatchObject({ rights: "contribute" });
  });
});

describe("a block that is undone", () => {
  const guestKey = "k".repeat(40);
  const block = async (who: object) =>
    (await ada.client.rpc("block_person", { memory_id: memoryId, ...who }).throwOnError()).data.id as string;
  const unblock = (id: string) => ada.client.rpc("unblock_person", { block_id: id }).throwOnError();
  const stateOf = async (id = invitationId) =>
    (await ada.client.from("invitations").select("state").eq("id", id).single().throwOnError()).data?.state;
  /** Signs a guest at the invitation's link. Resolves to their id. */
  const signed = async (key = crypto.randomUUID() + crypto.randomUUID()) => {
    const { body } = await read(letter);
    const signing = { guestKey: key, name: "Cousin", language: "en", timeZone: "UTC" };
    const answer = await post(server, "sign-guest", signing, { authorization: `Bearer ${body.token}` });
    return (answer.body.guest as { id: string }).id;
  };

  test("Spec §6: lets a guest of an invitation's email back in, under their name", async () => {
    const guest = await signed(guestKey);
    const id = await block({ guest });
    expect([(await read(letter)).status, await stateOf()]).toEqual([401, "withdrawn"]);
    await unblock(id);
    expect(await stateOf()).toBe("open");
    const again = await read(letter, undefined, { guestKey });
    expect(again).toMatchObject({ status: 200, body: { rights: "contribute", guest: { id: guest, name: "Cousin" } } });
    const comment = { memory_id: memoryId, body: "Hello" };
    expect((await server.client(String(again.body.token)).from("comments").insert(comment)).status).toBe(201);
    expect(await keep((await read(letter, bob)).body.token)).toMatchObject({ data: memoryId });
  });

  test("Spec §6: gives a member back the email by which they came, with their role's rights", async () => {
    await keep((await read(letter, bob)).body.token);
    await ada.client.from("memory_members").update({ role: "viewer" }).eq("user_id", bob.id).throwOnError();
    const id = await block({ person: bob.id });
    expect((await read(letter, bob)).status).toBe(401);
    await unblock(id);
    expect(await read(letter, bob)).toMatchObject({ status: 200, body: { rights: "view" } });
  });

  test("opens an invitation again that the block withdrew from somebody with an account", async () => {
    await keep((await read(letter, bob)).body.token);
    const [second, his] = await inviteTo(bob.email, "co-owner");
    const id = await block({ person: bob.id });
    expect(await stateOf(second)).toBe("withdrawn");
    await unblock(id);
    expect([await stateOf(second), (await read(his)).status]).toEqual(["open", 200]);
  });

  test("leaves everything withdrawn that something else had ended, or that another block still keeps out", async () => {
    const guest = await signed();
    await withdraw();
    await unblock(await block({ guest }));
    expect([await stateOf(), (await read(letter)).status]).toEqual(["withdrawn", 401]);

    [invitationId, letter] = await inviteTo("aunt@example.com", "contributor");
    const [first, other] = [await signed(), await signed()];
    const blocks = [await block({ guest: first }), await block({ guest: other })];
    await unblock(String(blocks[0]));
    expect([await stateOf(), (await read(letter)).status]).toEqual(["withdrawn", 401]);

    // The person who accepted it was removed meanwhile.
    [invitationId, letter] = await inviteTo("uncle@example.com", "contributor");
    const third = await signed();
    await keep((await read(letter, bob)).body.token);
    const last = await block({ guest: third });
    await ada.client.from("memory_members").delete().eq("user_id", bob.id).throwOnError();
    await unblock(last);
    expect((await read(letter)).status).toBe(401);

    // The address was invited anew meanwhile.
    [invitationId, letter] = await inviteTo("niece@example.com", "contributor");
    const fourth = await block({ guest: await signed() });
    const [, newer] = await inviteTo("niece@example.com", "viewer");
    await unblock(fourth);
    expect([await stateOf(), (await read(letter)).status, (await read(newer)).status]).toEqual(["withdrawn", 401, 200]);
  });
});
