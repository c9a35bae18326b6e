import { randomUUID } from "node:crypto";
import { asCaller, type Caller, SERVICE, VISITOR } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";
import { pinHash } from "../../server/sharing/pin-hash.ts";

/** Every kind of caller, relative to Ada's memory. */
export const WHO = [
  "nobody",
  "stranger",
  "visitor",
  "superseded",
  "guest",
  "wall",
  "letter",
  "viewer",
  "contributor",
  "co-owner",
  "owner",
  "service",
  "administrator",
  "support",
  "fulfilment",
  "editor",
  "aal1-admin",
] as const;
export type Who = (typeof WHO)[number];

/**
 * Ada and her data, the people of her memory, Bob as a stranger, current and former tokens for it, and staff;
 * `aal1-admin` has used no second factor.
 */
export type World = Awaited<ReturnType<typeof makeWorld>>;

export async function makeWorld(db: Database) {
  const [ada, bob, adminId] = [randomUUID(), randomUUID(), randomUUID()];
  /** A person without a profile. */
  const orphanId = randomUUID();
  const people = { viewer: randomUUID(), contributor: randomUUID(), "co-owner": randomUUID() };
  const owner: Caller = { role: "authenticated", sub: ada };
  const stranger: Caller = { role: "authenticated", sub: bob };

  const add = (row: string, ...values: unknown[]) => db.query(`insert into ${row}`, values);
  /** Adds a row as a caller; resolves to its id. */
  const addAs = async (caller: Caller, row: string, ...values: unknown[]) => {
    const text = `insert into ${row} returning id`;
    const { rows } = await asCaller(db, caller, (tx) => tx.query<{ id: string }>(text, values));
    return rows[0]?.id ?? "";
  };
  const memory = (caller: Caller, draft = false) =>
    addAs(caller, "memories (person_name, draft) values ('Someone', $1)", draft);
  const photo = (caller: Caller, memoryId: string) =>
    addAs(
      caller,
      `storage.objects (bucket_id, name, owner, owner_id, version, metadata)
       values ('media', $1, $2::uuid, $2::uuid::text, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}')`,
      `${memoryId}/${randomUUID()}.jpg`,
      caller.sub,
    );

  for (const id of [ada, bob, orphanId, adminId, ...Object.values(people)])
    await add("auth.users (id, email, email_confirmed_at) values ($1, $2, now())", id, `${id}@example.com`);
  await add("email_preferences (email) values ($1)", `${ada}@example.com`);
  await db.query("delete from profiles where id = $1", [orphanId]);
  await add("storage.buckets (id, name) values ('spare', 'spare')");
  await add(
    "user_subscriptions (user_id, plan_id, expires_at) values ($1, 'skies-memories', now() + interval '1 year')",
    ada,
  );
  await add("cart_items (user_id, product_id) values ($1, 'metal-card')", ada);
  const orderId = await addAs(
    SERVICE,
    "orders (user_id, email, currency, subtotal, total) values ($1, 'ada@example.com', 'GBP', 2500, 2500)",
    ada,
  );
  await add(
    "order_items (order_id, kind, product_id, quantity, unit_amount, total) values ($1, 'card', 'metal-card', 1, 2500, 2500)",
    orderId,
  );
  const [memoryId, bobsMemoryId, draftId] = [await memory(owner), await memory(stranger), await memory(owner, true)];
  for (const [role, id] of Object.entries(people))
    await add("memory_members (memory_id, user_id, role) values ($1, $2, $3)", memoryId, id, role);
  const albumId = await addAs(owner, "albums (name) values ('Family')");
  /** An album in Ada's trash. */
  const deletedAlbumId = await addAs(owner, "albums (name) values ('Old')");
  await asCaller(db, owner, (tx) => tx.query("delete from albums where id = $1", [deletedAlbumId]));
  const commentId = await addAs(owner, "comments (memory_id, body) values ($1, 'Remember the sea')", memoryId);
  const invitationId = await addAs(
    owner,
    "invitations (memory_id, email, role) values ($1, 'guest@example.com', 'viewer')",
    memoryId,
  );
  await add("handovers (memory_id, to_user) values ($1, $2)", memoryId, people["co-owner"]);
  const reactionId = await addAs(owner, "reactions (memory_id, kind) values ($1, 'candle')", memoryId);

  const links = await db.query<{ id: string }>("select id from share_links where memory_id = $1", [memoryId]);
  /** The first link, with a PIN. */
  const linkId = links.rows[0]?.id ?? "";
  const hash = await pinHash([new Uint8Array(32)]).make("0417");
  await asCaller(db, owner, (tx) => tx.query("insert into share_pins (link_id, hash) values ($1, $2)", [linkId, hash]));
  await addAs(SERVICE, "link_devices (link_id, name, admitted_version) values ($1, 'Firefox, Android', 2)", linkId);
  await add("share_openings (link_id, device) values ($1, 'phone')", linkId);
  /** A second link without a PIN. */
  const openLinkId = await addAs(SERVICE, "share_links (memory_id) values ($1)", memoryId);
  const guestLinkId = await addAs(SERVICE, "share_links (memory_id, rights) values ($1, 'contribute')", memoryId);
  /** A guest of a link with the right to contribute. */
  const guestId = await addAs(SERVICE, "guests (link_id, name) values ($1, 'Gina')", guestLinkId);

  /** Two photos: one with a row in media of the same id, and one without. */
  const [objectId, bareObjectId] = [await photo(owner, memoryId), await photo(owner, memoryId)];
  /** A photo about which nobody asked who is in it. */
  const plainObjectId = await photo(owner, memoryId);
  const bobsObjectId = await photo(stranger, bobsMemoryId);
  await db.query("delete from media where id = $1", [bareObjectId]);
  await add("media_credits (media_id, memory_id, name) values ($1, $2, 'Ada')", objectId, memoryId);
  /** A person named on the photo, with a memory about them, and one named nowhere. */
  const personId = await addAs(owner, "pictured_people (memory_id, name) values ($1, 'Aunt May')", memoryId);
  const unseenPersonId = await addAs(owner, "pictured_people (memory_id, name) values ($1, 'Rosa')", memoryId);
  await add("media_names (media_id, person_id, memory_id) values ($1, $2, $3)", objectId, personId, memoryId);
  await add("pictured_identities (person_id, memory_id) values ($1, $2)", personId, memoryId);
  await add("media_name_suggestions (media_id, memory_id, name) values ($1, $2, 'Bea')", objectId, memoryId);
  await add("who_questions (media_id, memory_id) values ($1, $2)", objectId, memoryId);
  /** Ada's own story. */
  const storyId = await addAs(owner, "stories (memory_id, body) values ($1, '<p>Once.</p>')", memoryId);
  await add("story_credits values ($1, $2, 'Ada')", storyId, memoryId);
  await add("comment_credits values ($1, $2, 'Ada')", commentId, memoryId);
  await add("reaction_credits values ($1, $2, 'Ada')", reactionId, memoryId);
  /** A moment on the memory's timeline. */
  const entryId = await addAs(owner, "memory_entries (memory_id, title) values ($1, 'School')", memoryId);
  /** A part of the day with a livestream that everybody may see by now. */
  const streamedEntryId = await addAs(
    owner,
    `memory_entries (memory_id, title, part, on_date, starts_at, time_zone, stream_from)
     values ($1, 'Service', 'service', '2019-05-09', '14:00', 'Europe/Rome', '2019-05-09T11:30:00Z')`,
    memoryId,
  );
  await add("entry_streams (entry_id, url) values ($1, 'https://example.com/live')", streamedEntryId);
  /** Replies are asked for the same part: one of the guest, and one of the viewer. */
  await db.query("update memory_entries set asks_replies = true where id = $1", [streamedEntryId]);
  await add("day_reply_settings (memory_id) values ($1)", memoryId);
  await add("memory_prints (memory_id, title) values ($1, 'Ada')", memoryId);
  /** A question of the hosts. */
  const promptId = await addAs(owner, "prompts (memory_id, text) values ($1, 'A photo of your table')", memoryId);
  /** Everything is revealed, so that nothing else depends on it. */
  await add("reveals (memory_id, revealed) values ($1, true)", memoryId);
  await add("memory_services (memory_id) values ($1)", memoryId);
  const replyId = await addAs(
    SERVICE,
    "day_replies (memory_id, guest_id, answer, names) values ($1, $2, 'yes', '{Gina}')",
    memoryId,
    guestId,
  );
  /** An invitation that managers wrote, without an answer. */
  const invitedReplyId = await addAs(SERVICE, "day_replies (memory_id, names) values ($1, '{Rossi}')", memoryId);
  await add("day_replies (memory_id, user_id, answer, names) values ($1, $2, 'no', '{Vera}')", memoryId, people.viewer);
  /** Ada's wall, with the pictures that the family has allowed. */
  await db.query("update media set state = 'ready' where id = $1", [objectId]);
  const wallId = await addAs(SERVICE, "walls (memory_id, link_id) values ($1, $2)", memoryId, guestLinkId);
  await db.query("update walls set shows_pictures = true where id = $1", [wallId]);
  /** Ada's question about the photo to one person, who has answered. */
  const letterId = await addAs(
    SERVICE,
    "photo_letters (memory_id, asker_id, recipient, media_ids) values ($1, $2, 'Aunt May', array[$3::uuid])",
    memoryId,
    ada,
    objectId,
  );
  await add(
    "photo_answers (letter_id, memory_id, media_id, about, answer) values ($1, $2, $3, 'when', 'about 1962')",
    letterId,
    memoryId,
    objectId,
  );
  /** A slideshow of the photo with its film, and one without photos. */
  const slideshowId = await addAs(owner, "slideshows (memory_id, title) values ($1, 'Her years')", memoryId);
  const emptySlideshowId = await addAs(owner, "slideshows (memory_id, title) values ($1, 'The feast')", memoryId);
  await add("slideshow_items (slideshow_id, media_id, position) values ($1, $2, 1)", slideshowId, objectId);
  await add("slideshow_films (slideshow_id, memory_id) values ($1, $2)", slideshowId, memoryId);
  /** The wish of a viewer, who is in the photo; decided, so that nothing waits. */
  const requestId = await addAs(
    SERVICE,
    "picture_requests (media_id, memory_id, wish, user_id, state, decided_at) values ($1, $2, 'blur', $3, 'declined', now())",
    objectId,
    memoryId,
    people.viewer,
  );
  /** A block of a person. */
  const blockId = await addAs(SERVICE, "memory_blocks (memory_id, user_id) values ($1, $2)", memoryId, orphanId);
  await add("memory_withdrawals (memory_id, kind, ids) values ($1, 'media', $2)", memoryId, [randomUUID()]);
  await add("contact_messages (name, email, subject, message) values ('Nia', 'nia@example.com', 'Hello', '<p>Hi</p>')");
  /** The viewer's report. */
  const reportId = await addAs(
    SERVICE,
    "reports (memory_id, kind, item_id, reason, user_id) values ($1, 'memory', $1, 'other', $2)",
    memoryId,
    people.viewer,
  );

  const voucherId = await addAs(SERVICE, "vouchers (code, percentage) values ('SPRING', 15)");
  await add(
    "voucher_uses (voucher_id, order_id, user_id, percentage) values ($1, $2, $3, 15)",
    voucherId,
    orderId,
    ada,
  );
  await add("refunds (id, order_id, amount, reason) values (gen_random_uuid(), $1, 100, 'Damaged')", orderId);
  await add("campaigns (name) values ('Spring')");
  const newCard = () => addAs(SERVICE, "metal_cards (user_id) values ($1)", ada);
  /** A card of Ada with its secret and delivery, and one without. */
  const [cardId, bareCardId] = [await newCard(), await newCard()];
  await add("card_secrets (card_id, hash) values ($1, $2)", cardId, hash);
  await add("card_deliveries (card_id, user_id) values ($1, $2)", cardId, ada);

  await add("notices (user_id, memory_id, kind) values ($1, $2, 'comment')", ada, memoryId);
  await add("notice_settings (user_id) values ($1)", ada);
  await add("notice_preferences (user_id, memory_id) values ($1, $2)", ada, memoryId);
  const sessionId = randomUUID();
  await add("auth.sessions (id, user_id) values ($1, $2)", sessionId, ada);
  await add(
    `push_devices (session_id, user_id, endpoint, p256dh, auth)
     values ($1, $2, 'https://fcm.googleapis.com/ada', repeat('p', 87), repeat('a', 22))`,
    sessionId,
    ada,
  );
  await add("memory_reminders (memory_id, occasion) values ($1, 'birthday')", memoryId);

  /** Ada as an affiliate with a click, a commission and a payout. */
  const affiliateId = await addAs(SERVICE, "affiliates (user_id) values ($1)", ada);
  await add("affiliate_clicks (affiliate_id) values ($1)", affiliateId);
  const soldId = await addAs(
    SERVICE,
    "orders (email, currency, subtotal, total) values ('buyer@example.com', 'GBP', 4500, 4500)",
  );
  await add(
    `commissions (affiliate_id, order_id, currency, base, earned, earned_at, payable_at)
     values ($1, $2, 'GBP', 4500, 1350, now(), now())`,
    affiliateId,
    soldId,
  );
  await add("payouts (affiliate_id, currency, amount) values ($1, 'GBP', 1000)", affiliateId);

  await add(
    `blog_revisions (slug, language, title, summary, body, author)
     values ('a-box-of-slides', 'en', 'Slides', 'Before.', '', 'Nia')`,
  );
  await add("inbox_entries (item_id, kind, body, author) values ($1, 'note', 'Seen', $2)", reportId, adminId);
  await add("staff_notes (user_id, author, body) values ($1, $2, 'Asked for a receipt by telephone')", ada, adminId);

  const share = (version: number): Caller => ({ role: "anon", share: { link: linkId, version } });
  const member = (id: string): Caller => ({ role: "authenticated", sub: id });
  const staff = (role: string): Caller => ({ ...member(adminId), aal: "aal2", app_metadata: { role } });
  const callers: Record<Who, Caller> = {
    nobody: VISITOR,
    stranger,
    visitor: share(2),
    superseded: share(1),
    guest: { role: "anon", share: { link: guestLinkId, version: 1, guest: guestId } },
    wall: { role: "anon", wall: { id: wallId, version: 1 } },
    letter: { role: "anon", letter: { id: letterId, version: 1 } },
    viewer: member(people.viewer),
    contributor: member(people.contributor),
    "co-owner": member(people["co-owner"]),
    owner,
    service: SERVICE,
    administrator: staff("admin"),
    support: staff("support"),
    fulfilment: staff("fulfilment"),
    editor: staff("editor"),
    "aal1-admin": { ...staff("admin"), aal: "aal1" },
  };
  return {
    callers,
    ada,
    sessionId,
    bob,
    people,
    albumId,
    deletedAlbumId,
    commentId,
    reactionId,
    guestId,
    invitationId,
    orphanId,
    memoryId,
    bobsMemoryId,
    draftId,
    linkId,
    openLinkId,
    objectId,
    bareObjectId,
    plainObjectId,
    bobsObjectId,
    personId,
    unseenPersonId,
    storyId,
    entryId,
    streamedEntryId,
    promptId,
    slideshowId,
    requestId,
    emptySlideshowId,
    replyId,
    invitedReplyId,
    wallId,
    letterId,
    blockId,
    reportId,
    voucherId,
    cardId,
    bareCardId,
    affiliateId,
    /** The hash of a PIN. */
    hash,
  };
}
