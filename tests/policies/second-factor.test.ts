import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { ADDRESS } from "../support/cards.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type World } from "../support/world.ts";
import { statementOf, TABLES } from "./statements.ts";

const db = await testDatabase();
let world: World;
/** An invitation of Ada by another person, and a session of hers. */
let invitation: string;
let session: string;
/** The link of an invitation's email. */
let emailLink: string;
/** A front and a back, not paired yet. */
let sides: string[];
beforeAll(async () => {
  world = await makeWorld(db);
  await prepareCalls();
  await db.query(
    `insert into auth.mfa_factors (user_id, factor_type, status, secret)
     values ($1, 'totp', 'verified', 'sealed'), ($2, 'totp', 'unverified', 'sealed')`,
    [world.ada, world.bob],
  );
});

/** Adds the rows by which the calls below give Ada another result than a stranger. */
async function prepareCalls() {
  const { ada, albumId, bobsMemoryId, draftId, guestId, invitationId, memoryId, objectId, people, voucherId } = world;
  const add = async (text: string, values: unknown[]) => {
    const { rows } = await db.query<{ id: string }>(`insert into ${text} returning id`, values);
    return rows[0]?.id ?? "";
  };
  const side = (name: string) =>
    add(
      `storage.objects (bucket_id, name, owner, owner_id, version, metadata)
       values ('media', $1, $2::uuid, $2, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}')`,
      [`${memoryId}/${name}.jpg`, ada],
    );
  sides = [await side("front"), await side("back")];
  await db.query("update media set state = 'ready' where id = any ($1)", [sides]);
  session = await add("auth.sessions (user_id, ip) values ($1, '203.0.113.9')", [ada]);
  await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'co-owner')", [
    bobsMemoryId,
    ada,
  ]);
  await db.query("insert into handovers (memory_id, to_user) values ($1, $2)", [bobsMemoryId, ada]);
  const third = await add("memories (user_id, person_name) values ($1, 'Third')", [people.viewer]);
  invitation = await add("invitations (memory_id, email, role, invited_by) values ($1, $2, 'viewer', $3)", [
    third,
    `${ada}@example.com`,
    people.viewer,
  ]);
  for (const moderation of ["held", "hidden"]) {
    const comment = await add("comments (memory_id, user_id, body) values ($1, $2, 'Wait')", [memoryId, people.viewer]);
    await db.query("update comments set moderation = $2 where id = $1", [comment, moderation]);
  }
  await db.query("update media set is_cover = true where id = $1", [objectId]);
  await db.query(
    `update media_details set file_name = 'a.jpg', content_hash = repeat('0', 64), guest_id = $2, taken_source = 'exif'
     where media_id = $1`,
    [objectId, guestId],
  );
  emailLink = await add("share_links (memory_id, invitation_id) values ($1, $2)", [memoryId, invitationId]);
  await db.query("update memories set album_id = $2 where id = $1", [draftId, albumId]);
  // Ada's own order has reserved it.
  await db.query("update vouchers set max_uses = 1 where id = $1", [voucherId]);
}

const reach = (caller: Caller, [text, values]: [string, unknown[]]) =>
  asCaller(db, caller, async (tx) => (await tx.query(text, values)).rows.length);

test("every table that a signed-in person can reach requires their second factor", async () => {
  const { rows } = await db.query(`
    select p.polrelid::regclass::text as table from pg_policy p
    where 'authenticated'::regrole = any (p.polroles) and p.polpermissive
    group by p.polrelid having not exists (
      select from pg_policy r where r.polrelid = p.polrelid and r.polname = 'required authentication level'
        and not r.polpermissive and r.polcmd = '*' and 'authenticated'::regrole = any (r.polroles))`);
  expect(rows).toEqual([]);
});

test("an account with two-step verification opens nothing for a password alone, and everything after both steps", async () => {
  const { owner } = world.callers;
  for (const table of TABLES) {
    const select = statementOf(world, "owner", table, "select");
    const [half, whole] = [
      await reach({ ...owner, aal: "aal1" }, select).catch(() => 0),
      await reach({ ...owner, aal: "aal2" }, select).catch(() => 0),
    ];
    expect([select[0], half]).toEqual([select[0], 0]);
    if (/from (profiles|memories|media|share_links|storage\.objects)/.test(select[0])) expect(whole).toBe(1);
  }
  const added: [string, unknown[]] = ["insert into memories (person_name) values ('New')", []];
  await expect(reach({ ...owner, aal: "aal1" }, added)).rejects.toThrow("row-level security");
  expect(await reach({ ...owner, aal: "aal2" }, added)).toBe(0);
});

/** Runs a call and undoes it. Resolves to its result and the number of changed rows, or to the code of its refusal. */
async function outcomeOf(caller: Caller, text: string): Promise<unknown> {
  class Undone extends Error {
    constructor(readonly outcome: unknown) {
      super();
    }
  }
  return asCaller(db, caller, async (tx) => {
    // The connection may still count changes of its last transactions.
    const count = async () => {
      const { rows } = await tx.query<{ changed: number }>(
        "select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int as changed from pg_stat_xact_user_tables",
      );
      return rows[0]?.changed ?? 0;
    };
    const before = await count();
    const { rows } = await tx.query(text);
    throw new Undone({ rows, changed: (await count()) - before });
  }).catch((error: unknown) => {
    if (error instanceof Undone) return error.outcome;
    return { refused: (error as { code?: string }).code };
  });
}

/**
 * A call of every function that a signed-in person can reach, with arguments for which Ada gets another result than a
 * stranger. A function without a call fails the test below.
 */
const CALLS: Record<string, (world: World) => string> = {
  "accept_emailed_invitation()": () => "accept_emailed_invitation()",
  "accept_handover(uuid)": ({ bobsMemoryId }) => `accept_handover('${bobsMemoryId}')`,
  "answer_invitation(uuid,boolean)": () => `answer_invitation('${invitation}', true)`,
  "apply_voucher(text)": () => "apply_voucher('SPRING')",
  "arrange_album(uuid,uuid[])": ({ albumId, draftId }) => `arrange_album('${albumId}', '{${draftId}}')`,
  "arrange_albums(uuid[])": ({ albumId }) => `arrange_albums('{${albumId}}')`,
  "arrange_media(uuid,uuid[])": ({ memoryId, objectId }) => `arrange_media('${memoryId}', '{${objectId}}')`,
  "arrange_prompts(uuid,uuid[])": ({ memoryId, promptId }) =>
    `arrange_prompts('${memoryId}', '{${memoryId},${promptId}}')`,
  "arrange_slideshow(uuid,uuid[],integer)": ({ slideshowId, objectId }) =>
    `arrange_slideshow('${slideshowId}', '{${objectId}}', 1)`,
  "arrange_stories(uuid,uuid[])": ({ memoryId, storyId }) =>
    `arrange_stories('${memoryId}', '{${memoryId},${storyId}}')`,
  "ask_about_photos(uuid,uuid,uuid[],text,text)": ({ memoryId, objectId }) =>
    `ask_about_photos('${memoryId}', '${memoryId}', '{${objectId}}', 'Aunt May', '')`,
  "asked_by(photo_letters)": (world) => `asked_by(${letterRow(world)})`,
  "block_person(uuid,uuid,uuid,boolean)": ({ memoryId, people }) => `block_person('${memoryId}', '${people.viewer}')`,
  "content_hash(media)": (world) => `content_hash(${mediaRow(world)})`,
  "delete_day_reply(uuid)": ({ replyId }) => `delete_day_reply('${replyId}')`,
  "delete_forever(jsonb)": ({ deletedAlbumId }) => `delete_forever('[{"kind": "album", "id": "${deletedAlbumId}"}]')`,
  "deleted_items(uuid,integer)": () => "deleted_items()",
  "discard_film(uuid)": ({ slideshowId }) => `discard_film('${slideshowId}')`,
  "empty_trash(boolean)": () => "empty_trash()",
  "end_session(uuid)": () => `end_session('${session}')`,
  "file_name(media)": (world) => `file_name(${mediaRow(world)})`,
  "guest_id(media)": (world) => `guest_id(${mediaRow(world)})`,
  "invitation_email(uuid)": ({ invitationId }) => `invitation_email('${invitationId}')`,
  "invite_to_day(uuid,uuid)": ({ invitedReplyId, openLinkId }) => `invite_to_day('${invitedReplyId}', '${openLinkId}')`,
  "is_open(photo_letters)": (world) => `is_open(${letterRow(world)})`,
  "link_openings(uuid)": ({ linkId }) => `link_openings('${linkId}')`,
  "media(memories)": ({ memoryId }) => `media(jsonb_populate_record(null::memories, '{"id": "${memoryId}"}'))`,
  "memory_people(uuid,integer,integer)": ({ memoryId }) => `memory_people('${memoryId}')`,
  "memory_rights(uuid)": ({ memoryId }) => `memory_rights('${memoryId}')`,
  "moderate(jsonb,text)": ({ objectId }) => `moderate('[{"kind": "media", "id": "${objectId}"}]', 'hidden')`,
  "moderation_queue(uuid,text)": ({ memoryId }) => `moderation_queue('${memoryId}', 'hidden')`,
  "move_media(uuid,uuid[],uuid)": ({ memoryId, objectId }) => `move_media('${memoryId}', '{${objectId}}')`,
  "my_affiliate_balances()": () => "my_affiliate_balances()",
  "my_invitations()": () => "my_invitations()",
  "my_sessions()": () => "my_sessions()",
  "name_people(uuid,uuid[],uuid,text,real,real)": ({ memoryId, objectId, unseenPersonId }) =>
    `name_people('${memoryId}', '{${objectId}}', '${unseenPersonId}')`,
  "pair_sides(uuid[],uuid[])": () => `pair_sides('{${sides[0]}}', '{${sides[1]}}')`,
  "personalise_card(uuid,jsonb,jsonb)": ({ bareCardId }) =>
    `personalise_card('${bareCardId}', '{"name": "Rosa"}', '${JSON.stringify(ADDRESS).replaceAll("'", "''")}')`,
  "photo_outline(uuid,text)": ({ memoryId }) => `photo_outline('${memoryId}')`,
  "photos_by_key(uuid,text[])": ({ memoryId, objectId }) => `photos_by_key('${memoryId}', '{${objectId.slice(0, 8)}}')`,
  "put_in_album(uuid,uuid[])": ({ albumId, memoryId }) => `put_in_album('${albumId}', '{${memoryId}}')`,
  "recent_activity()": () => "recent_activity()",
  "register_push_device(text,text,text)": () =>
    "register_push_device('https://fcm.googleapis.com/own', repeat('p', 87), repeat('a', 22))",
  "remake_link(uuid)": ({ linkId }) => `remake_link('${linkId}')`,
  "remake_wall(uuid)": ({ wallId }) => `remake_wall('${wallId}')`,
  "remove_cover(uuid)": ({ memoryId }) => `remove_cover('${memoryId}')`,
  "renew_letter(uuid)": ({ letterId }) => `renew_letter('${letterId}')`,
  "request_film(uuid)": ({ emptySlideshowId }) => `request_film('${emptySlideshowId}')`,
  "restore_cover(uuid,real,real)": ({ objectId }) => `restore_cover('${objectId}', 0.5, 0.5)`,
  "restore_deleted(jsonb)": ({ deletedAlbumId }) => `restore_deleted('[{"kind": "album", "id": "${deletedAlbumId}"}]')`,
  "restore_media_dates(uuid[],text[],text[])": ({ objectId }) =>
    `restore_media_dates('{${objectId}}', '{1950}', '{null}')`,
  "restore_order(uuid,uuid[],double precision[],double precision[],text)": ({ memoryId, objectId }) =>
    `restore_order('${memoryId}', '{${objectId}}', '{1}', '{null}', 'taken')`,
  "save_day_part(uuid,uuid,jsonb,integer)": ({ memoryId, streamedEntryId }) =>
    `save_day_part('${memoryId}', '${streamedEntryId}', '{"dress": "Dark"}', 2)`,
  "save_day_reply(uuid,text,text[],uuid[],text,jsonb,integer,uuid,integer)": ({ memoryId, streamedEntryId }) =>
    `save_day_reply('${memoryId}', 'yes', '{Ada}', '{${streamedEntryId}}')`,
  "save_day_reply_settings(uuid,uuid[],timestamp with time zone,text,integer,boolean,jsonb,integer)": ({
    memoryId,
    streamedEntryId,
  }) => `save_day_reply_settings('${memoryId}', '{${streamedEntryId}}', null, 'UTC', 9, true, '[]', 1)`,
  "search(text,text,date,date,boolean,text,uuid,text[],integer)": () => "search('remember')",
  "separate_sides(uuid[])": ({ objectId }) => `separate_sides('{${objectId}}')`,
  "set_cover(uuid)": ({ objectId }) => `set_cover('${objectId}')`,
  "set_media_dates(uuid[],text[])": ({ objectId }) => `set_media_dates('{${objectId}}', '{1950}')`,
  "share_id(memories)": ({ memoryId }) => `share_id(jsonb_populate_record(null::memories, '{"id": "${memoryId}"}'))`,
  "storage_by_memory(integer,integer)": () => "storage_by_memory()",
  "storage_stats()": () => "storage_stats()",
  "storage_use()": () => "storage_use()",
  "swap_sides(uuid[])": ({ objectId }) => `swap_sides('{${objectId}}')`,
  "taken_source(media)": (world) => `taken_source(${mediaRow(world)})`,
  "turn_media(uuid[],integer)": ({ objectId }) => `turn_media('{${objectId}}', 90)`,
  "unblock_person(uuid)": ({ blockId }) => `unblock_person('${blockId}')`,
  "user_id(media)": (world) => `user_id(${mediaRow(world)})`,
  "waiting_counts()": () => "waiting_counts()",
  "withdraw_comment(uuid)": ({ commentId }) => `withdraw_comment('${commentId}')`,
};

/** A row that anybody could invent. Its computed columns check the policies by its id. */
const mediaRow = ({ objectId }: World) => `jsonb_populate_record(null::media, '{"id": "${objectId}"}')`;

const letterRow = ({ letterId }: World) => `jsonb_populate_record(null::photo_letters, '{"id": "${letterId}"}')`;

const isRefused = (outcome: unknown) => typeof outcome === "object" && outcome !== null && "refused" in outcome;

test("every function refuses a password alone, or treats it like an unrelated user", async () => {
  const { rows } = await db.query<{ name: string }>(`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
      and has_function_privilege('authenticated', p.oid, 'execute')
      -- These read nothing but the row that their caller gives, or what a link tells everybody.
      and p.proname not in ('name_key', 'title_key', 'upload_occasion', 'begins_at', 'finishes_at', 'read_at', 'own_id')
      -- What staff call asks for a second factor of everybody (staff.test.ts).
      and p.prosrc not like '%private.require_role(%' order by 1`);
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(CALLS));
  await db.query("update auth.sessions set aal = 'aal2' where id = $1", [world.sessionId]);
  const { owner } = world.callers;
  const stranger: Caller = { role: "authenticated", sub: randomUUID(), aal: "aal1" };
  const unproven: string[] = [];
  for (const [name, call] of Object.entries(CALLS)) {
    const text = `select * from ${call(world)}`;
    const share = name === "accept_emailed_invitation()" ? { share: { link: emailLink, version: 1 } } : {};
    const asStranger = await outcomeOf({ ...stranger, ...share }, text);
    const session = name.startsWith("register_push_device(") ? { session_id: world.sessionId } : {};
    const half = await outcomeOf({ ...owner, ...share, ...session, aal: "aal1" }, text);
    if (!isRefused(half)) expect([name, half]).toEqual([name, asStranger]);
    const both = await outcomeOf({ ...owner, ...share, ...session, aal: "aal2" }, text);
    if (isRefused(both) || isDeepStrictEqual(both, asStranger)) unproven.push(`${text}: ${JSON.stringify(both)}`);
  }
  expect(unproven).toEqual([]);
});

test("a person with a link and a password alone has only the rights of the link", async () => {
  const { owner, visitor } = world.callers;
  const rights = (caller: Caller) =>
    asCaller(db, caller, (tx) => tx.query("select memory_rights($1) as may", [world.memoryId]));
  const half: Caller = { ...owner, aal: "aal1", share: visitor.share };
  expect((await rights(half)).rows).toEqual((await rights(visitor)).rows);
});

test("an unverified factor requires no second step", async () => {
  const bob: Caller = { role: "authenticated", sub: world.bob, aal: "aal1" };
  expect(await reach(bob, ["select id from memories where user_id = $1", [world.bob]])).toBe(1);
});

test("a link opens its memory even if its owner has a second factor", async () => {
  expect(await reach(world.callers.visitor, ["select id from memories where id = $1", [world.memoryId]])).toBe(1);
});
