import { describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { VIEWS_OF_POLICIES } from "../support/views-of-policies.ts";
import { makeWorld, type World } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query(text, values)).rows);
const refused = { code: "42501" };

test("every table that requests can name has row policies enabled", async () => {
  const { rows } = await db.query(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relrowsecurity and n.nspname !~ '^pg_|^information_schema$' and (c.relnamespace = 'public'::regnamespace
      or exists (select from unnest(array['anon', 'authenticated']) as role
        where has_schema_privilege(role, c.relnamespace, 'usage') and has_any_column_privilege(role, c.oid, 'select, insert, update')))`);
  expect(rows).toEqual([]);
});

test("every view runs with its caller's rights, except for those that only policies read", async () => {
  const { rows } = await db.query(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('v', 'm') and n.nspname in ('public', 'storage', 'private') and not coalesce('security_invoker=true' = any (c.reloptions), false)
    order by 1`);
  expect(rows.map(({ name }) => name)).toEqual(VIEWS_OF_POLICIES);
});

test("callers can run these functions of the product and no others", async () => {
  const { rows } = await db.query<{ line: string }>(`
    select p.oid::regprocedure::text || ' ' || string_agg(role, ' ' order by role) as line
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace, unnest(array['anon', 'authenticated']) as role where n.nspname in ('public', 'private', 'realtime', 'request') and has_function_privilege(role, p.oid, 'execute') group by p.oid order by 1`);
  expect(rows.map(({ line }) => line)).toEqual([
    "accept_emailed_invitation() authenticated",
    "accept_handover(uuid) authenticated",
    "answer_invitation(uuid,boolean) authenticated",
    "answer_photo(uuid,text,text,text) anon",
    "apply_voucher(text) anon authenticated",
    "arrange_album(uuid,uuid[]) authenticated",
    "arrange_albums(uuid[]) authenticated",
    "arrange_media(uuid,uuid[]) authenticated",
    "arrange_prompts(uuid,uuid[]) authenticated",
    "arrange_slideshow(uuid,uuid[],integer) authenticated",
    "arrange_stories(uuid,uuid[]) authenticated",
    "ask_about_photos(uuid,uuid,uuid[],text,text) authenticated",
    "asked_by(photo_letters) authenticated",
    "begins_at(memory_entries) anon authenticated",
    "block_person(uuid,uuid,uuid,boolean) authenticated",
    "campaign_use() authenticated",
    "content_hash(media) anon authenticated",
    "create_campaign(text,numeric,integer,text,timestamp with time zone,text[],boolean) authenticated",
    "delete_day_reply(uuid) anon authenticated",
    "delete_forever(jsonb) authenticated",
    "deleted_items(uuid,integer) authenticated",
    "desk_affiliates(text,timestamp with time zone,uuid,integer) authenticated",
    "desk_figures(text) authenticated",
    "desk_file_failures() authenticated",
    "desk_inbox(text,text,text,text,timestamp with time zone,uuid) authenticated",
    "desk_inbox_item(uuid) authenticated",
    "desk_names(uuid[]) authenticated",
    "desk_outbox(text,timestamp with time zone,uuid) authenticated",
    "desk_people(text,text,timestamp with time zone,uuid) authenticated",
    "desk_person(uuid) authenticated",
    "desk_queues() authenticated",
    "desk_read_back() authenticated",
    "desk_system() authenticated",
    "discard_film(uuid) authenticated",
    "empty_trash(boolean) authenticated",
    "end_granted_plan(uuid,text) authenticated",
    "end_session(uuid) authenticated",
    "erase_person(text,text) authenticated",
    "file_name(media) anon authenticated",
    "finishes_at(memory_entries) anon authenticated",
    "grant_plan(text,text,integer,text) authenticated",
    "guest_id(media) anon authenticated",
    "invitation_email(uuid) authenticated",
    "invite_to_day(uuid,uuid) authenticated",
    "is_open(photo_letters) authenticated",
    "let_back_person(text,text) authenticated",
    "letter_contents() anon",
    "link_openings(uuid) authenticated",
    "media(memories) anon authenticated",
    "memory_people(uuid,integer,integer) anon authenticated",
    "memory_rights(uuid) anon authenticated",
    "moderate(jsonb,text) authenticated",
    "moderation_queue(uuid,text) authenticated",
    "move_media(uuid,uuid[],uuid) authenticated",
    "my_affiliate_balances() authenticated",
    "my_invitations() authenticated",
    "my_sessions() authenticated",
    "name_key(memories) authenticated",
    "name_people(uuid,uuid[],uuid,text,real,real) anon authenticated",
    "order_events(uuid) authenticated",
    "own_id(comments) anon authenticated",
    "own_id(day_replies) anon authenticated",
    "own_id(media_details) anon authenticated",
    "own_id(reactions) anon authenticated",
    "own_id(stories) anon authenticated",
    "pair_sides(uuid[],uuid[]) authenticated",
    "personalise_card(uuid,jsonb,jsonb) authenticated",
    "photo_outline(uuid,text) anon authenticated",
    "photos_by_key(uuid,text[]) anon authenticated",
    "private.access_to_object(storage.objects) anon authenticated",
    "private.added_media_ids() anon authenticated",
    "private.addresses_written_to() authenticated",
    "private.are_names(text[]) anon authenticated",
    "private.back_of(uuid) anon authenticated",
    "private.begin_refund(text,integer,text,uuid) authenticated",
    "private.can_comment(uuid) anon authenticated",
    "private.can_contribute(uuid) anon authenticated",
    "private.can_read_credits(uuid) anon authenticated",
    "private.can_view(uuid) anon authenticated",
    "private.cards_to_engrave(text[]) authenticated",
    "private.chosen_share_id(uuid) authenticated",
    "private.covered_memory_ids() anon authenticated",
    "private.date_order(text) anon authenticated",
    "private.date_span(text) anon authenticated",
    "private.edit_of(storage.objects) anon authenticated",
    "private.edited_size(jsonb,integer,integer) anon authenticated",
    "private.enqueue_card_email(uuid[],text,text) authenticated",
    "private.guest_id() anon authenticated",
    "private.has_required_aal() authenticated",
    "private.has_role(text[]) authenticated",
    "private.html_text(text) anon authenticated",
    "private.initial_moderation(uuid) anon authenticated",
    "private.is_admin() authenticated",
    "private.is_blur(jsonb) anon authenticated",
    "private.is_caller() authenticated",
    "private.is_certainly_before(text,text) anon authenticated",
    "private.is_edit(jsonb) anon authenticated",
    "private.is_engravable(text) authenticated",
    "private.is_engraving(jsonb) authenticated",
    "private.is_expected(uuid) anon authenticated",
    "private.is_manager(uuid) anon authenticated",
    "private.is_named(text,text,boolean) anon authenticated",
    "private.is_on_back(text,text,text) anon authenticated",
    "private.is_own(uuid,uuid) anon authenticated",
    "private.is_own_media(uuid) anon authenticated",
    "private.is_owner(uuid) anon authenticated",
    "private.joined_memory_ids() authenticated",
    "private.letter_media_ids() anon",
    "private.linked_album_ids() anon authenticated",
    "private.linked_memory_ids(text[]) anon authenticated",
    "private.memory_of(text) anon authenticated",
    "private.merged_people(uuid) anon authenticated",
    "private.new_share_id() authenticated",
    "private.own_address() authenticated",
    "private.person_roots(uuid[]) anon authenticated",
    "private.picture_name(uuid) anon authenticated",
    "private.resend_receipt(uuid,jsonb) authenticated",
    "private.search_candidates(text,date,date,boolean,text,uuid,boolean,boolean) anon authenticated",
    "private.search_excerpt(text,text) anon authenticated",
    "private.search_key(text) authenticated",
    "private.search_words(text) authenticated",
    "private.settle_refund(uuid,text,text) authenticated",
    "private.shared_credited_memory_ids() anon authenticated",
    "private.shared_memory_ids(text) anon authenticated",
    "private.turned(jsonb,integer) anon authenticated",
    "private.uncovered_ids(text) anon authenticated",
    "private.wall_memory_id(text) anon",
    "put_in_album(uuid,uuid[]) authenticated",
    "read_at(walls) authenticated",
    "recent_activity() authenticated",
    "record_payout(text,numeric,text,text) authenticated",
    "register_push_device(text,text,text) authenticated",
    "remake_link(uuid) authenticated",
    "remake_wall(uuid) authenticated",
    "remove_cover(uuid) authenticated",
    "renew_letter(uuid) authenticated",
    "request_film(uuid) authenticated",
    "restore_cover(uuid,real,real) authenticated",
    "restore_deleted(jsonb) anon authenticated",
    "restore_media_dates(uuid[],text[],text[]) anon authenticated",
    "restore_order(uuid,uuid[],double precision[],double precision[],text) authenticated",
    "restore_revision(bigint) authenticated",
    "retry_file(uuid,text,text) authenticated",
    "retry_message(uuid,text) authenticated",
    "retry_read_back(text) authenticated",
    "save_card(jsonb,jsonb) authenticated",
    "save_day_part(uuid,uuid,jsonb,integer) authenticated",
    "save_day_reply(uuid,text,text[],uuid[],text,jsonb,integer,uuid,integer) anon authenticated",
    "save_day_reply_settings(uuid,uuid[],timestamp with time zone,text,integer,boolean,jsonb,integer) authenticated",
    "save_plan(text,jsonb,jsonb) authenticated",
    "search(text,text,date,date,boolean,text,uuid,text[],integer) anon authenticated",
    "separate_sides(uuid[]) authenticated",
    "set_cover(uuid) authenticated",
    "set_media_dates(uuid[],text[]) anon authenticated",
    "set_staff_role(text,text,text) authenticated",
    "settle_report(uuid,text,text,text,uuid) authenticated",
    "share_id(memories) authenticated",
    "storage_by_memory(integer,integer) authenticated",
    "storage_stats() authenticated",
    "storage_use() authenticated",
    "suspend_person(text,text) authenticated",
    "swap_sides(uuid[]) authenticated",
    "taken_source(media) anon authenticated",
    "title_key(blog_posts) authenticated",
    "turn_media(uuid[],integer) anon authenticated",
    "unblock_person(uuid) authenticated",
    "upload_occasion() anon authenticated",
    "user_id(media) anon authenticated",
    "voucher_use(uuid[]) authenticated",
    "waiting_counts() authenticated",
    "wall_head() anon",
    "withdraw_comment(uuid) anon authenticated",
  ]);
});

test("functions that run with their owner's rights have a fixed search path", async () => {
  const { rows } = await db.query(`
    select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.prosecdef and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not coalesce(array_to_string(p.proconfig, ',') like '%search_path=%', false)`);
  expect(rows).toEqual([]);
});

test("no caller can create anything or truncate a table", async () => {
  const { rows } = await db.query(`
    select role || ' creates in ' || nspname as fault from pg_namespace, unnest(array['anon', 'authenticated']) as role
    where has_schema_privilege(role, oid, 'create') and nspname !~ '^pg_'
    union all
    select role || ' truncates ' || c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace,
      unnest(array['anon', 'authenticated']) as role
    where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and has_table_privilege(role, c.oid, 'truncate')`);
  expect(rows).toEqual([]);
});

describe("columns that an owner cannot set", () => {
  test.each([
    ["the owner of a memory", "update memories set user_id = $2 where id = $1"],
    ["the id of a memory", "update memories set id = $2 where id = $1"],
  ])("%s", async (_what, text) => {
    await expect(run(world.callers.owner, text, [world.memoryId, world.bob])).rejects.toMatchObject(refused);
  });

  test.each(["user_id", "created_at"])("%s of a new memory", async (column) => {
    const text = `insert into memories (person_name, ${column}) values ('X', default)`;
    // Naming a column requires the right to it, even for its default.
    await expect(run(world.callers.owner, text)).rejects.toMatchObject(refused);
  });

  test.each(["version", "has_pin", "locked_until", "share_id", "is_first", "memory_id"])(
    "%s of a link",
    async (column) => {
      const text = `update share_links set ${column} = default where id = $1`;
      await expect(run(world.callers.owner, text, [world.linkId])).rejects.toMatchObject(refused);
    },
  );

  test("the link of a PIN, so that no PIN moves to another link", async () => {
    const text = "update share_pins set link_id = $2 where link_id = $1";
    await expect(run(world.callers.owner, text, [world.linkId, world.openLinkId])).rejects.toMatchObject(refused);
  });

  test("the id or the creation time of a profile", async () => {
    for (const column of ["id", "created_at"]) {
      await expect(run(world.callers.owner, `update profiles set ${column} = default`)).rejects.toMatchObject(refused);
    }
  });
});

describe("PINs", () => {
  test("nobody but the service can read a hash", async () => {
    const { service, ...others } = world.callers;
    for (const [who, caller] of Object.entries(others)) {
      await expect(run(caller, "select hash from share_pins"), who).rejects.toMatchObject(refused);
    }
    expect(await run(service, "select hash from share_pins")).toHaveLength(1);
  });

  test.each([
    "0417",
    "$argon2id$v=19$m=4194304,t=100,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$argon2i$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  ])("%s is refused: neither plain text nor a hash of another cost is stored", async (hash) => {
    const text = "update share_pins set hash = $2 where link_id = $1";
    await expect(run(world.callers.owner, text, [world.linkId, hash])).rejects.toMatchObject({ code: "23514" });
  });
});

describe("covers", () => {
  test("an owner can choose a photo of their own memories only, and a visitor none", async () => {
    await run(world.callers.owner, "select set_cover($1)", [world.objectId]);
    expect(await run(world.callers.owner, "select id from media where is_cover")).toEqual([{ id: world.objectId }]);
    await expect(run(world.callers.owner, "select set_cover($1)", [world.bobsObjectId])).rejects.toThrow(/not in one/);
    await expect(run(world.callers.visitor, "select set_cover($1)", [world.objectId])).rejects.toMatchObject(refused);
  });
});

describe("photos", () => {
  const add = (name: string) =>
    run(
      world.callers.owner,
      `insert into storage.objects (bucket_id, name, version, metadata)
       values ('media', $1, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}')`,
      [name],
    );

  test.each<[string, (world: World) => string]>([
    ["in another's memory", ({ bobsMemoryId }) => `${bobsMemoryId}/x.jpg`],
    ["in no memory", () => "x.jpg"],
    ["deeper than a memory", ({ memoryId }) => `${memoryId}/deep/x.jpg`],
    ["in a folder that is no memory", () => "../x.jpg"],
  ])("are not stored %s", async (_where, name) => {
    await expect(add(name(world))).rejects.toMatchObject(refused);
  });
});

describe("drafts", () => {
  test("are visible to their owner only, not by a token of their link", async () => {
    const { rows } = await db.query<{ id: string }>("select id from share_links where memory_id = $1", [world.draftId]);
    const visitor: Caller = { role: "anon", share: { link: rows[0]?.id, version: 1 } };
    expect(await run(visitor, "select id from memories")).toEqual([]);
    expect(await run(world.callers.owner, "select id from memories where draft")).toEqual([{ id: world.draftId }]);
  });

  test("are made of a published memory by its owner only", async () => {
    const withdraw = (caller: Caller, draft: boolean) =>
      run(caller, "update memories set draft = $2 where id = $1 returning draft", [world.memoryId, draft]);
    await expect(withdraw(world.callers["co-owner"], true)).rejects.toMatchObject(refused);
    expect(await withdraw(world.callers["co-owner"], false)).toEqual([{ draft: false }]);
    expect(await withdraw(world.callers.owner, true)).toEqual([{ draft: true }]);
    expect(await withdraw(world.callers.owner, false)).toEqual([{ draft: false }]);
  });

  test("may have no name; published memories need one", async () => {
    const nameless = (draft: boolean) => run(world.callers.owner, "insert into memories (draft) values ($1)", [draft]);
    await expect(nameless(true)).resolves.toEqual([]);
    await expect(nameless(false)).rejects.toMatchObject({ code: "23514" });
  });
});

describe("stories", () => {
  const tell = (story: string) => run(world.callers.owner, "update memories set description = $1", [story]);

  test.each([
    "<p>Once upon a time, only = 3, onward=yes: &lt;script&gt; and javascript: are words.</p>",
    '<p>See <a href="https://example.com/src/?a=1" rel="noopener noreferrer nofollow">this</a>.</p>',
    '<p><a href="mailto:ada@example.com">Write</a> to "us", it\'s fine = good</p><hr /><blockquote>x</blockquote>',
    "a < b and b > on = c",
  ])("%s is kept", async (story) => {
    await expect(tell(story)).resolves.toEqual([]);
  });

  test.each([
    "<script>x</script>",
    "<SCRIPT src=x>",
    "<iframe>",
    "<svg onload=x>",
    '<p onclick="x">',
    "<p/onclick=x>",
    '<a href="javascript:x">',
    "<a href=javascript:x>",
    '<a href="data:text/html,x">',
    "<img src=x onerror=y>",
    '<form action="https://example.com">',
  ])("%s is refused by the database itself", async (story) => {
    await expect(tell(story)).rejects.toMatchObject({ code: "23514" });
  });
});
