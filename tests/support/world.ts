import { randomUUID } from "node:crypto";
import { asCaller, type Caller, SERVICE, VISITOR } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";
import { pinHash } from "../../server/functions/pin-hash.ts";

/** Every kind of caller, as seen from Ada's memory. */
export const WHO = [
  "nobody",
  "stranger",
  "visitor",
  "superseded",
  "guest",
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

/** Ada and what is hers, the people of her memory, Bob who has nothing to do with her, tokens that open it or did, and staff; `aal1-admin` has not used a second factor. */
export interface World {
  callers: Record<Who, Caller>;
  ada: string;
  bob: string;
  people: Record<"viewer" | "contributor" | "co-owner", string>;
  albumId: string;
  /** One that Ada moved to the trash. */
  deletedAlbumId: string;
  /** The owner's own, about the memory itself. */
  commentId: string;
  reactionId: string;
  /** Who signed a link that lets them contribute. */
  guestId: string;
  invitationId: string;
  /** Someone without a profile. */
  orphanId: string;
  memoryId: string;
  bobsMemoryId: string;
  draftId: string;
  /** The first link, with a PIN. */
  linkId: string;
  /** A second one, without. */
  openLinkId: string;
  /** A photo; the row in media has the same id. */
  objectId: string;
  /** One whose row in media is missing. */
  bareObjectId: string;
  bobsObjectId: string;
  /** What Ada told herself. */
  storyId: string;
  /** A moment on the memory's timeline. */
  entryId: string;
  /** Of someone who is shut out of the memory. */
  blockId: string;
  /** What the viewer found wrong. */
  reportId: string;
  voucherId: string;
  /** A card of Ada's, with its secret and where it goes; and one without either. */
  cardId: string;
  bareCardId: string;
  /** Ada, who recommends Skies: clicked once, with a commission and a payout. */
  affiliateId: string;
  /** Some PIN's. */
  hash: string;
}

export async function makeWorld(db: Database): Promise<World> {
  const [ada, bob, orphanId, adminId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const people = { viewer: randomUUID(), contributor: randomUUID(), "co-owner": randomUUID() };
  for (const id of [ada, bob, orphanId, adminId, ...Object.values(people)]) {
    await db.query("insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())", [
      id,
      `${id}@example.com`,
    ]);
  }
  await db.query("insert into email_preferences (email) values ($1)", [`${ada}@example.com`]);
  await db.query("delete from profiles where id = $1", [orphanId]);
  await db.query("insert into storage.buckets (id, name) values ('spare', 'spare')");
  const owner: Caller = { role: "authenticated", sub: ada };
  const stranger: Caller = { role: "authenticated", sub: bob };

  const one = async (caller: Caller, text: string, values: unknown[]) => {
    const { rows } = await asCaller(db, caller, (tx) => tx.query<{ id: string }>(`${text} returning id`, values));
    return rows[0]?.id ?? "";
  };
  const memory = (caller: Caller, draft = false) =>
    one(caller, "insert into memories (person_name, draft) values ('Someone', $1)", [draft]);
  const photo = (caller: Caller, memoryId: string) =>
    one(
      caller,
      `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
       values ('media', $1, $2::uuid, $2::uuid::text, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}')`,
      [`${memoryId}/${randomUUID()}.jpg`, caller.sub],
    );

  await db.query(
    `insert into user_subscriptions (user_id, plan_id, expires_at) values ($1, 'skies-memories', now() + interval '1 year')`,
    [ada],
  );
  await db.query("insert into cart_items (user_id, product_id) values ($1, 'metal-card')", [ada]);
  await db.query(
    `with bought as (
       insert into orders (user_id, email, currency, subtotal, total) values ($1, 'ada@example.com', 'GBP', 2500, 2500)
       returning id)
     insert into order_items (order_id, kind, product_id, quantity, unit_amount, total)
     select id, 'card', 'metal-card', 1, 2500, 2500 from bought`,
    [ada],
  );
  const [memoryId, bobsMemoryId, draftId] = [await memory(owner), await memory(stranger), await memory(owner, true)];
  for (const [role, id] of Object.entries(people)) {
    await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, $3)", [memoryId, id, role]);
  }
  const albumId = await one(owner, "insert into albums (name) values ($1)", ["Family"]);
  const deletedAlbumId = await one(owner, "insert into albums (name) values ($1)", ["Old"]);
  await asCaller(db, owner, (tx) => tx.query("delete from albums where id = $1", [deletedAlbumId]));
  const commentId = await one(owner, "insert into comments (memory_id, body) values ($1, 'Remember the sea')", [
    memoryId,
  ]);
  const invitationId = await one(
    owner,
    "insert into invitations (memory_id, email, role) values ($1, 'guest@example.com', 'viewer')",
    [memoryId],
  );
  await db.query("insert into handovers (memory_id, to_user) values ($1, $2)", [memoryId, people["co-owner"]]);
  const reactionId = await one(owner, "insert into reactions (memory_id, kind) values ($1, 'candle')", [memoryId]);
  const links = await db.query<{ id: string }>("select id from share_links where memory_id = $1", [memoryId]);
  const linkId = links.rows[0]?.id ?? "";
  const hash = await pinHash(new Uint8Array(32)).make("0417");
  await asCaller(db, owner, (tx) => tx.query("insert into share_pins (link_id, hash) values ($1, $2)", [linkId, hash]));
  await db.query("insert into share_openings (link_id, device) values ($1, 'phone')", [linkId]);
  const openLinkId = await one(SERVICE, "insert into share_links (memory_id) values ($1)", [memoryId]);
  const guestLinkId = await one(SERVICE, "insert into share_links (memory_id, rights) values ($1, 'contribute')", [
    memoryId,
  ]);
  const guestId = await one(SERVICE, "insert into guests (link_id, name) values ($1, 'Gina')", [guestLinkId]);
  const [objectId, bareObjectId] = [await photo(owner, memoryId), await photo(owner, memoryId)];
  const bobsObjectId = await photo(stranger, bobsMemoryId);
  await db.query("delete from media where id = $1", [bareObjectId]);
  await db.query("insert into media_credits (media_id, memory_id, name) values ($1, $2, 'Ada')", [objectId, memoryId]);
  const storyId = await one(owner, "insert into stories (memory_id, body) values ($1, '<p>Once.</p>')", [memoryId]);
  await db.query("insert into story_credits values ($1, $2, 'Ada')", [storyId, memoryId]);
  await db.query("insert into comment_credits values ($1, $2, 'Ada')", [commentId, memoryId]);
  await db.query("insert into reaction_credits values ($1, $2, 'Ada')", [reactionId, memoryId]);
  const entryId = await one(owner, "insert into memory_entries (memory_id, title) values ($1, 'School')", [memoryId]);

  const blockId = await one(SERVICE, "insert into memory_blocks (memory_id, user_id) values ($1, $2)", [
    memoryId,
    orphanId,
  ]);
  await db.query("insert into memory_withdrawals (memory_id, kind, ids) values ($1, 'media', $2)", [
    memoryId,
    [randomUUID()],
  ]);
  await db.query(
    "insert into contact_messages (name, email, subject, message) values ('Nia', 'nia@example.com', 'Hello', '<p>Hi</p>')",
  );
  const reportId = await one(
    SERVICE,
    "insert into reports (memory_id, kind, item_id, reason, user_id) values ($1, 'memory', $1, 'other', $2)",
    [memoryId, people.viewer],
  );
  const voucherId = await one(SERVICE, "insert into vouchers (code, percentage) values ('SPRING', 15)", []);
  await db.query(
    "insert into voucher_uses (voucher_id, order_id, user_id, percentage) select $1, id, $2, 15 from orders where user_id = $2",
    [voucherId, ada],
  );

  await db.query(
    "insert into refunds (id, order_id, amount, reason) select gen_random_uuid(), id, 100, 'Damaged' from orders where user_id = $1",
    [ada],
  );

  await db.query("insert into campaigns (name) values ('Spring')");

  const newCard = () => one(SERVICE, "insert into metal_cards (user_id) values ($1)", [ada]);
  const [cardId, bareCardId] = [await newCard(), await newCard()];
  await db.query("insert into card_secrets (card_id, hash) values ($1, $2)", [cardId, hash]);
  await db.query("insert into card_deliveries (card_id, user_id) values ($1, $2)", [cardId, ada]);

  await db.query("insert into notices (user_id, memory_id, kind) values ($1, $2, 'comment')", [ada, memoryId]);
  await db.query("insert into notice_settings (user_id) values ($1)", [ada]);
  await db.query("insert into notice_preferences (user_id, memory_id) values ($1, $2)", [ada, memoryId]);
  await db.query("insert into memory_reminders (memory_id, occasion) values ($1, 'birthday')", [memoryId]);

  const affiliateId = await one(SERVICE, "insert into affiliates (user_id) values ($1)", [ada]);
  await db.query("insert into affiliate_clicks (affiliate_id) values ($1)", [affiliateId]);
  await db.query(
    `with sold as (
       insert into orders (email, currency, subtotal, total) values ('buyer@example.com', 'GBP', 4500, 4500) returning id)
     insert into commissions (affiliate_id, order_id, currency, base, earned, earned_at, payable_at)
     select $1, id, 'GBP', 4500, 1350, now(), now() from sold`,
    [affiliateId],
  );
  await db.query("insert into payouts (affiliate_id, currency, amount) values ($1, 'GBP', 1000)", [affiliateId]);

  await db.query(
    "insert into staff_notes (user_id, author, body) values ($1, $2, 'Asked for a receipt by telephone')",
    [ada, adminId],
  );

  const share = (version: number): Caller => ({ role: "anon", share: { link: linkId, version } });
  const member = (id: string): Caller => ({ role: "authenticated", sub: id });
  const staff = (role: string): Caller => ({ ...member(adminId), aal: "aal2", app_metadata: { role } });
  return {
    callers: {
      nobody: VISITOR,
      stranger,
      visitor: share(2),
      superseded: share(1),
      guest: { role: "anon", share: { link: guestLinkId, version: 1, guest: guestId } },
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
    },
    ...{
      ada,
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
      bobsObjectId,
      storyId,
      entryId,
      blockId,
      reportId,
      voucherId,
      cardId,
      bareCardId,
      affiliateId,
    },
    hash,
  };
}
