import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { addPhotos, as, type Commenter, commenter, kindsOf, memoryOf, noticesOf, say } from "../support/notices.ts";

const db = await testDatabase();
let [ada, gina, paolo]: Commenter[] = [];
const people = () => {
  if (!ada || !gina || !paolo) throw new Error("Nobody is there yet");
  return { ada, gina, paolo };
};
beforeEach(async () => {
  [ada, gina, paolo] = [await commenter(db, "Ada"), await commenter(db, "Gina"), await commenter(db, "Paolo")];
});

test("a comment notifies everybody of the memory except its author, in the same transaction", async () => {
  const { ada, gina, paolo } = people();
  const memory = await memoryOf(db, ada, { contributor: gina, viewer: paolo });
  const id = await say(db, gina, memory, "The boat");
  expect(await as(db, ada, "select kind, actor_name, comment_id, memory_id from notices")).toEqual([
    { kind: "comment", actor_name: "Gina", comment_id: id, memory_id: memory },
  ]);
  expect(await kindsOf(db, paolo)).toEqual(["comment"]);
  expect(await kindsOf(db, gina)).toEqual([]);
  const undone = db.transaction(async (tx) => {
    await tx.query("insert into comments (memory_id, user_id, body) values ($1, $2, 'No')", [memory, gina.id]);
    throw new Error("changed our mind");
  });
  await expect(undone).rejects.toThrow("changed our mind");
  expect(await kindsOf(db, ada)).toEqual(["comment"]);
});

test("a person who is answered or mentioned gets that notice, once", async () => {
  const { ada, gina, paolo } = people();
  const memory = await memoryOf(db, ada, { contributor: gina, "co-owner": paolo });
  const head = await say(db, gina, memory, "Who has the key?");
  await say(db, ada, memory, "Paolo has it", head, [paolo.id]);
  expect(await kindsOf(db, gina)).toEqual(["answer"]);
  expect((await kindsOf(db, paolo)).sort()).toEqual(["comment", "mention"]);
});

test("notices of withdrawn, hidden or deleted content disappear", async () => {
  const { ada, gina, paolo } = people();
  const memory = await memoryOf(db, ada, { contributor: gina, viewer: paolo });
  const [first, second] = [await say(db, gina, memory, "One"), await say(db, gina, memory, "Two")];
  await as(db, gina, "select withdraw_comment($1)", [first]);
  const photos = await addPhotos(db, gina, memory, 2);
  expect((await kindsOf(db, paolo)).sort()).toEqual(["added", "comment"]);
  await as(db, ada, "update comments set moderation = 'hidden' where id = $1", [second]);
  await as(db, gina, "delete from storage.objects where id = any ($1)", [photos]);
  expect(await kindsOf(db, paolo)).toEqual([]);
});

test("a removed member, a member who left and a session without the second factor see no notices", async () => {
  const { ada, gina, paolo } = people();
  const memory = await memoryOf(db, ada, { contributor: gina, viewer: paolo });
  await say(db, gina, memory, "The boat");
  await say(db, ada, memory, "The lake");
  expect([await kindsOf(db, paolo), await kindsOf(db, gina)]).toEqual([["comment", "comment"], ["comment"]]);
  await as(db, ada, "delete from memory_members where user_id = $1", [paolo.id]);
  await as(db, gina, "delete from memory_members where user_id = $1", [gina.id]);
  expect([await kindsOf(db, paolo), await kindsOf(db, gina)]).toEqual([[], []]);
  await db.query(
    "insert into auth.mfa_factors (user_id, factor_type, status, secret) values ($1, 'totp', 'verified', 'x')",
    [ada.id],
  );
  expect(await kindsOf(db, ada)).toEqual([]);
  expect(await kindsOf(db, { ...ada, caller: { ...ada.caller, aal: "aal2" } })).toEqual(["comment"]);
});

test("many photos are one notice, whose count follows the photos that exist", async () => {
  const { ada, gina } = people();
  const memory = await memoryOf(db, ada, { contributor: gina });
  const photos = await addPhotos(db, gina, memory, 12);
  await addPhotos(db, gina, memory, 3);
  expect(await noticesOf(db, ada)).toMatchObject([{ kind: "added", actor_name: "Gina", count: 15 }]);
  await db.query("delete from storage.objects where id = any ($1)", [photos.slice(0, 5)]);
  expect(await noticesOf(db, ada)).toMatchObject([{ count: 10 }]);
  await as(db, ada, "update media set moderation = 'hidden' where id = $1", [photos[6]]).catch(() => undefined);
  await db.query("update media set moderation = 'hidden' where id = $1", [photos[7]]);
  expect((await noticesOf(db, ada))[0]?.count).toBeLessThan(10);
  await as(db, ada, "update notices set read_at = now()");
  await addPhotos(db, gina, memory, 1);
  expect((await noticesOf(db, ada)).map(({ count }) => count)).toContain(1);
  expect(await kindsOf(db, gina)).toEqual([]);
});

test("a deleted account or memory removes its notices, and notices for others stay without a name", async () => {
  const { ada, gina, paolo } = people();
  const memory = await memoryOf(db, ada, { contributor: gina, viewer: paolo });
  await addPhotos(db, gina, memory, 2);
  await db.query("delete from auth.users where id = $1", [gina.id]);
  expect(await noticesOf(db, paolo)).toMatchObject([{ kind: "added", actor_name: "" }]);
  await as(db, ada, "delete from memories where id = $1", [memory]);
  expect(await kindsOf(db, paolo)).toEqual([]);
});

test("held content notifies the managers once, and everybody once it is approved", async () => {
  const { ada, gina, paolo } = people();
  const memory = await memoryOf(db, ada, { contributor: gina, "co-owner": paolo });
  const add = async () => {
    const { rows } = await db.query<{ id: string }>(
      "insert into comments (memory_id, body, moderation) values ($1, 'Hello', 'held') returning id",
      [memory],
    );
    return rows[0]?.id;
  };
  const [first, second] = [await add(), await add()];
  expect([await kindsOf(db, ada), await kindsOf(db, paolo), await kindsOf(db, gina)]).toEqual([["held"], ["held"], []]);
  await as(db, ada, "update comments set moderation = 'shown' where id = $1", [first]);
  expect(await kindsOf(db, gina)).toEqual(["comment"]);
  expect((await kindsOf(db, paolo)).sort()).toEqual(["comment", "held"]);
  await as(db, ada, "update comments set moderation = 'hidden' where id = $1", [second]);
  expect([await kindsOf(db, ada), await kindsOf(db, paolo)]).toEqual([[], ["comment"]]);
});

test("answers to invitations notify the inviter and the owner", async () => {
  const { ada, gina, paolo } = people();
  const memory = await memoryOf(db, ada, { "co-owner": paolo });
  for (const accept of [false, true]) {
    const [asking] = await as<{ id: string }>(
      db,
      paolo,
      "insert into invitations (memory_id, email, role) values ($1, $2, 'viewer') returning id",
      [memory, gina.email],
    );
    await as(db, gina, "select answer_invitation($1, $2)", [asking?.id, accept]);
  }
  expect(await noticesOf(db, ada)).toMatchObject([
    { kind: "declined", actor_name: "Gina" },
    { kind: "accepted", actor_name: "Gina" },
  ]);
  expect(await kindsOf(db, paolo)).toEqual(["declined", "accepted"]);
  expect(await kindsOf(db, gina)).toEqual([]);
});

test("a handover notifies both sides, and a withdrawn offer leaves no notice", async () => {
  const { ada, gina } = people();
  const memory = await memoryOf(db, ada, { contributor: gina });
  const offer = () => as(db, ada, "insert into handovers (memory_id, to_user) values ($1, $2)", [memory, gina.id]);
  await offer();
  expect(await noticesOf(db, gina)).toMatchObject([{ kind: "offered", actor_name: "Ada" }]);
  await as(db, ada, "delete from handovers where memory_id = $1", [memory]);
  expect([await kindsOf(db, gina), await kindsOf(db, ada)]).toEqual([[], []]);
  await offer();
  await as(db, gina, "delete from handovers where memory_id = $1", [memory]);
  expect([await kindsOf(db, gina), await kindsOf(db, ada)]).toEqual([[], ["offer-declined"]]);
  await offer();
  await as(db, gina, "select accept_handover($1)", [memory]);
  expect(await kindsOf(db, ada)).toEqual(["offer-declined", "taken-over"]);
});

test("Spec §9: the storage warns above 75% and 90% and once it is full, once each time", async () => {
  const { ada } = people();
  const memory = await memoryOf(db, ada);
  const percent = 1024 ** 3 / 100;
  /** Adds photos of this total size, each of an allowed size. Resolves to their ids. */
  const fill = (bytes: number) => addPhotos(db, ada, memory, 25, Math.floor(bytes / 25));
  const first = await fill(75 * percent);
  expect(await kindsOf(db, ada)).toEqual([]);
  await fill(percent);
  await fill(percent);
  expect(await kindsOf(db, ada)).toEqual(["storage-75"]);
  await fill(14 * percent);
  expect(await kindsOf(db, ada)).toEqual(["storage-90"]);
  await db.query("delete from storage.objects where id = any ($1)", [first]);
  expect(await kindsOf(db, ada)).toEqual([]);
  await fill(75 * percent);
  expect(await kindsOf(db, ada)).toEqual(["storage-90"]);
  await fill(8 * percent);
  const { rows } = await db.query<{ room: number }>(
    "select 1073741824 - stored as room from private.account_use where account = $1",
    [ada.id],
  );
  await addPhotos(db, ada, memory, 1, rows[0]?.room);
  expect(await kindsOf(db, ada)).toEqual(["storage-full"]);
  await db.query(
    "insert into user_subscriptions (user_id, plan_id, expires_at) values ($1, 'skies-pro', now() + interval '1 year')",
    [ada.id],
  );
  expect(await kindsOf(db, ada)).toEqual([]);
});

test("a locked link notifies its managers in one notice, and a correct PIN does not", async () => {
  const { ada, gina, paolo } = people();
  const memory = await memoryOf(db, ada, { contributor: gina, "co-owner": paolo });
  const { rows } = await db.query<{ share_id: string }>("select share_id from share_links where memory_id = $1", [
    memory,
  ]);
  const share = rows[0]?.share_id;
  const guess = (address: string) => db.query("select private.begin_share_attempt($1, $2)", [share, address]);
  for (let n = 1; n < 5; n++) await guess(`a${n}`);
  expect(await kindsOf(db, ada)).toEqual([]);
  // The fifth attempt is counted before its PIN is checked, and the PIN is right.
  await guess("right");
  await db.query("select private.refund_share_attempt($1, $2)", [share, "right"]);
  expect(await kindsOf(db, ada)).toEqual([]);
  await guess("a5");
  await db.query("update private.share_attempts set locked_until = null where key = 'link:' || $1", [share]);
  await guess("a6");
  expect(await noticesOf(db, ada)).toMatchObject([{ kind: "locked", count: 2 }]);
  expect([await kindsOf(db, paolo), await kindsOf(db, gina)]).toEqual([["locked"], []]);
});
