import type { Who, World } from "../support/world.ts";

export type Statement = [text: string, values: unknown[]];
type Verb = "select" | "insert" | "update" | "delete";

/**
 * The condition of Ada's rows ("true" for any), their change, a row to add, and the column to read, by default the
 * first one of the condition.
 */
type Rows = [where: string, set: string, insert: string, read?: string];

/** Rows by table; tables of the schema "public" have their bare name. `:name` is a value of the world. */
const ROWS: Record<string, Rows> = {
  audit_log: ["true", "subject = 'X'", "(role, action, subject) values ('admin', 'vouchers.update', 'X')", "id"],
  inbox_items: ["id = :reportId", "state = 'open'", "(id, report_id) values (:reportId, :reportId)"],
  inbox_entries: [
    "item_id = :reportId",
    "body = 'X'",
    "(item_id, kind, body) values (:reportId, 'note', 'Seen')",
    "id",
  ],
  staff_notes: ["user_id = :ada", "body = 'X'", "(user_id, body) values (:ada, 'Called')", "id"],
  profiles: ["id = :ada", "full_name = 'X'", "(id) values (:orphanId)"],
  memories: ["id = :memoryId", "person_name = 'X'", "(person_name, user_id) values ('New', :ada)"],
  media: [
    "id = :objectId",
    "caption = 'X'",
    "(id, memory_id, type, size, object_name) values (:bareObjectId, :memoryId, 'image', 1, 'x/y.jpg')",
  ],
  media_details: [
    "media_id = :objectId",
    "file_name = 'X.jpg'",
    "(media_id, memory_id) values (:objectId, :memoryId) on conflict (media_id) do update set file_name = 'X.jpg'",
    "file_name",
  ],
  pictured_people: ["id = :personId", "name = 'X'", "(memory_id, name) values (:memoryId, 'New')"],
  media_names: [
    "person_id = :personId",
    "x = 0.5, y = 0.5",
    "(media_id, person_id, memory_id) values (:objectId, :unseenPersonId, :memoryId)",
  ],
  pictured_identities: [
    "person_id = :personId",
    "memory_id = :memoryId",
    "(person_id, memory_id) values (:unseenPersonId, :memoryId)",
  ],
  media_name_suggestions: [
    "media_id = :objectId",
    "settled = true",
    "(media_id, memory_id, name) values (:objectId, :memoryId, 'X')",
  ],
  who_questions: [
    "media_id = :objectId",
    "x = 0.5, y = 0.5",
    "(media_id, memory_id) values (:plainObjectId, :memoryId)",
  ],
  guests: ["id = :guestId", "name = 'X'", "(link_id, name) values (:linkId, 'X')"],
  memory_entries: ["id = :entryId", "title = 'X'", "(memory_id, title) values (:memoryId, 'New')"],
  entry_streams: [
    "entry_id = :streamedEntryId",
    "url = 'https://example.com/x'",
    "(entry_id, url) values (:entryId, 'https://example.com/new')",
  ],
  day_reply_settings: [
    "memory_id = :memoryId",
    "places = 50",
    "(memory_id) values (:memoryId) on conflict (memory_id) do update set places = 40",
    "revision",
  ],
  memory_prints: [
    "memory_id = :memoryId",
    "title = 'X'",
    "(memory_id) values (:memoryId) on conflict (memory_id) do update set hint = 'X'",
    "revision",
  ],
  slideshows: ["id = :slideshowId", "title = 'X'", "(memory_id, title) values (:memoryId, 'X')"],
  slideshow_items: [
    "slideshow_id = :slideshowId",
    "position = 2",
    "(slideshow_id, media_id, position) values (:emptySlideshowId, :objectId, 1)",
  ],
  slideshow_films: [
    "slideshow_id = :slideshowId",
    "progress = 0.5",
    "(slideshow_id, memory_id) values (:emptySlideshowId, :memoryId)",
  ],
  photo_letters: [
    "id = :letterId",
    "withdrawn_at = now()",
    "(memory_id, recipient, media_ids) values (:memoryId, 'Aunt May', array[:objectId]::uuid[])",
  ],
  photo_answers: [
    "letter_id = :letterId",
    "state = 'kept'",
    "(letter_id, memory_id, media_id, about, answer) values (:letterId, :memoryId, :objectId, 'where', 'Rome')",
  ],
  picture_requests: [
    "id = :requestId",
    "state = 'declined'",
    "(media_id, memory_id, wish) values (:objectId, :memoryId, 'hide')",
  ],
  prompts: ["id = :promptId", "text = 'X'", "(memory_id, text) values (:memoryId, 'X')"],
  reveals: [
    "memory_id = :memoryId",
    "time_zone = 'Europe/Rome'",
    "(memory_id) values (:memoryId) on conflict (memory_id) do update set time_zone = 'Europe/London'",
    "revision",
  ],
  memory_services: [
    "memory_id = :memoryId",
    "closing = 'X'",
    "(memory_id) values (:memoryId) on conflict (memory_id) do update set closing = 'Y'",
    "revision",
  ],
  day_replies: ["id = :replyId", "note = 'X'", "(memory_id, answer, names) values (:memoryId, 'yes', '{X}')"],
  memory_members: [
    "memory_id = :memoryId and user_id = :viewer",
    "role = 'co-owner'",
    "(memory_id, user_id, role) values (:memoryId, :bob, 'viewer')",
    "role",
  ],
  albums: ["id = :albumId", "name = 'X'", "(name) values ('New')"],
  trash: ["id = :deletedAlbumId", "deleted_at = now()", "(kind, id, deleted_by) values ('album', :albumId, :ada)"],
  invitations: [
    "id = :invitationId",
    "state = 'withdrawn'",
    "(memory_id, email, role) values (:memoryId, 'x@example.com', 'viewer')",
  ],
  handovers: [
    "memory_id = :memoryId",
    "created_at = now()",
    "(memory_id, to_user) values (:memoryId, :contributor) on conflict do nothing",
  ],
  notices: [
    "user_id = :ada",
    "read_at = now()",
    "(user_id, memory_id, kind) values (:ada, :memoryId, 'comment')",
    "id",
  ],
  notice_settings: [
    "user_id = :ada",
    "mail = 'never'",
    "(user_id, mail) values (:ada, 'never') on conflict (user_id) do update set mail = 'never'",
    "mail",
  ],
  notice_preferences: [
    "user_id = :ada",
    "mail = 'never'",
    "(user_id, memory_id, mail) values (:ada, :memoryId, 'never') on conflict (user_id, memory_id) do update set mail = 'never'",
    "mail",
  ],
  push_devices: [
    "user_id = :ada",
    "created_at = now()",
    `(session_id, user_id, endpoint, p256dh, auth) values (:sessionId, :ada, 'https://fcm.googleapis.com/ada-2', repeat('p', 87), repeat('a', 22))
      on conflict (session_id) do update set created_at = now()`,
    "session_id",
  ],
  memory_reminders: [
    "memory_id = :memoryId",
    "occasion = 'event'",
    "(memory_id, occasion) values (:memoryId, 'passing')",
    "occasion",
  ],
  share_links: ["id = :linkId", "label = 'X'", "(memory_id) values (:memoryId)"],
  memory_blocks: ["id = :blockId", "name = 'X'", "(memory_id, user_id) values (:memoryId, :bob)"],
  memory_counts: [
    // One of its rows, which add up.
    "ctid = (select min(c.ctid) from memory_counts c where c.memory_id = :memoryId)",
    "photos = 0",
    "(memory_id, photos, comments) values (:memoryId, 0, 0)",
    "photos",
  ],
  memory_withdrawals: [
    "memory_id = :memoryId",
    "ids = '{}'",
    "(memory_id, kind, ids) values (:memoryId, 'media', '{}')",
    "id",
  ],
  reports: [
    "id = :reportId",
    "outcome = 'acted'",
    "(memory_id, kind, item_id, reason) values (:memoryId, 'memory', :memoryId, 'other')",
  ],
  contact_messages: [
    "true",
    "name = 'X'",
    "(name, email, subject, message) values ('X', 'x@example.com', 'X', '<p>X</p>')",
    "id",
  ],
  blog_revisions: [
    "true",
    "title = 'X'",
    "(slug, language, title, summary, body, author) values ('x', 'en', 'X', 'X', '', 'X')",
    "id",
  ],
  blog_posts: [
    "slug = 'a-box-of-slides' and language = 'en'",
    "title = 'X'",
    "(slug, language, title, summary, body, author) values ('x', 'en', 'X', 'X', '', 'X')",
    "id",
  ],
  link_versions: [
    "link_id = :linkId",
    "version = 9",
    "(link_id, version) values (:linkId, 9) on conflict (link_id) do update set version = 9",
    "version",
  ],
  share_openings: ["link_id = :linkId", "times = 0", "(link_id) values (:linkId)", "id"],
  link_devices: ["link_id = :linkId", "name = 'X'", "(link_id, admitted_version) values (:linkId, 9)"],
  walls: ["id = :wallId", "pace = 20", "(memory_id) values (:draftId)"],
  share_pins: ["link_id = :linkId", "hash = :hash", "(link_id, hash) values (:openLinkId, :hash)"],
  email_preferences: [
    "email = :address",
    "unsubscribed = true",
    "(email, unsubscribed) values (:address, true) on conflict (email) do update set unsubscribed = true",
  ],
  "storage.objects": [
    "id = :objectId",
    "last_accessed_at = now()",
    `(bucket_id, name, version, metadata) values ('media', :photo, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}')`,
  ],
  "storage.buckets": ["id = 'spare'", "public = true", "(id, name) values ('new', 'new')"],
  media_credits: [
    "media_id = :objectId",
    "name = 'X'",
    "(media_id, memory_id, name) values (:bobsObjectId, :bobsMemoryId, 'X')",
  ],
  stories: ["id = :storyId", "moderation = 'held'", "(memory_id, body) values (:memoryId, '<p>New</p>')"],
  story_credits: [
    "story_id = :storyId",
    "name = 'X'",
    "values (:storyId, :memoryId, 'X') on conflict (story_id, memory_id) do update set name = 'X'",
    "name",
  ],
  comments: ["id = :commentId", "moderation = 'hidden'", "(memory_id, body) values (:memoryId, 'X')"],
  comment_credits: [
    "comment_id = :commentId",
    "name = 'X'",
    "values (:commentId, :memoryId, 'X') on conflict (comment_id, memory_id) do update set name = 'X'",
    "name",
  ],
  reactions: ["id = :reactionId", "kind = 'heart'", "(memory_id, kind) values (:memoryId, 'flower')"],
  reaction_credits: [
    "reaction_id = :reactionId",
    "name = 'X'",
    "values (:reactionId, :memoryId, 'X') on conflict (reaction_id, memory_id) do update set name = 'X'",
    "name",
  ],
  subscription_plans: [
    "id = 'skies-pro'",
    "storage_gb = 9",
    "(id, name, storage_gb, position) values ('x', 'X', 1, 9)",
  ],
  plan_prices: [
    "plan_id = 'skies-pro' and currency = 'GBP'",
    "amount = 1",
    "(plan_id, currency, amount) values ('skies-starter', 'GBP', 1)",
    "amount",
  ],
  products: ["id = 'metal-card'", "name = 'X'", "(id, name, position) values ('x', 'X', 9)", "name"],
  product_prices: [
    "product_id = 'metal-card' and currency = 'GBP'",
    "amount = 1",
    "(product_id, currency, amount) values ('metal-card', 'GBP', 1) on conflict (product_id, currency) do update set amount = 1",
    "amount",
  ],
  quantity_discounts: [
    "min_quantity = 25",
    "percentage = 99",
    "(product_id, min_quantity, percentage) values ('metal-card', 9, 1)",
    "percentage",
  ],
  vouchers: ["id = :voucherId", "percentage = 100", "(code, percentage) values ('MINE', 100)", "code"],
  voucher_uses: [
    "voucher_id = :voucherId",
    "released_at = now()",
    "(voucher_id, order_id, user_id, percentage) values (:voucherId, gen_random_uuid(), :ada, 15)",
    "percentage",
  ],
  user_subscriptions: [
    "user_id = :ada",
    "expires_at = 'infinity'",
    "(user_id, plan_id, expires_at) values (:ada, 'skies-pro', 'infinity')",
    "id",
  ],
  cart_items: ["user_id = :ada", "quantity = 2", "(user_id, product_id) values (:ada, 'metal-card')", "id"],
  orders: [
    "user_id = :ada",
    "status = 'paid'",
    "(user_id, email, currency, subtotal, total) values (:ada, 'x', 'GBP', 1, 1)",
    "id",
  ],
  campaigns: ["true", "active = false", "(name) values ('X')", "id"],
  refunds: [
    "order_id in (select id from orders)",
    "state = 'done'",
    "select gen_random_uuid(), id, 1, 'X' from orders limit 1",
    "id",
  ],
  order_items: [
    "order_id in (select id from orders where user_id = :ada)",
    "details = '{}'",
    "(order_id, kind, product_id, quantity, unit_amount, total) select id, 'card', 'metal-card', 1, 1, 1 from orders where user_id = :ada",
    "id",
  ],
  affiliates: ["id = :affiliateId", "state = 'left'", "(user_id) values (:orphanId)"],
  affiliate_clicks: [
    "affiliate_id = :affiliateId",
    "clicks = 9",
    "(affiliate_id, day) values (:affiliateId, '2020-01-01')",
    "clicks",
  ],
  commissions: [
    "affiliate_id = :affiliateId",
    "held = true",
    "(affiliate_id, order_id, currency, base, earned, earned_at, payable_at) select :affiliateId, id, 'GBP', 10, 3, now(), now() from orders where user_id = :ada",
    "id",
  ],
  payouts: [
    "affiliate_id = :affiliateId",
    "amount = 1",
    "(affiliate_id, currency, amount) values (:affiliateId, 'GBP', 1)",
    "id",
  ],
  metal_cards: ["id = :cardId", "blocked = 'lost'", "(user_id) values (:ada)"],
  card_secrets: ["card_id = :cardId", "hash = :hash", "(card_id, hash) values (:bareCardId, :hash)"],
  card_deliveries: ["card_id = :cardId", "address = '{}'", "(card_id, address) values (:bareCardId, '{}')", "address"],
};

/** Statements that depend on the caller: only the service may set the owner of a row. */
const otherwise = (who: Who): Record<string, Partial<Record<Verb, string>>> => ({
  // The first link cannot be deleted.
  share_links: { delete: "delete from share_links where id = :openLinkId" },
  ...(who === "owner" && { memories: { insert: "insert into memories (person_name) values ('New')" } }),
  ...(who === "service" && {
    albums: { insert: "insert into albums (name, user_id) values ('New', :ada)" },
    comments: { insert: "insert into comments (memory_id, body, user_id) values (:memoryId, 'X', :ada)" },
    reactions: { insert: "insert into reactions (memory_id, kind, user_id) values (:memoryId, 'flower', :ada)" },
    card_deliveries: {
      insert: "insert into card_deliveries (card_id, address, user_id) values (:bareCardId, '{}', :ada)",
    },
    invitations: {
      update: "update invitations set state = 'withdrawn', settled_at = now() where id = :invitationId",
    },
  }),
});

export const TABLES = Object.keys(ROWS);

/** Returns the statement for a table and verb on Ada's rows, or with a new row beside them. */
export function statementOf(world: World, who: Who, table: string, verb: Verb): Statement {
  const name = table.replace(/^public\./, "");
  const rows = ROWS[name];
  if (!rows) throw new Error(`There is no statement to ${verb} ${table}`);
  const [where, set, insert, read = where.split(" ")[0]] = rows;
  const texts = {
    select: `select ${read} from ${name} where ${where} ${where === "true" ? "limit 1" : ""}`,
    insert: `insert into ${name} ${insert}`,
    update: `update ${name} set ${set} where ${where}`,
    delete: `delete from ${name} where ${where}`,
    ...otherwise(who)[name],
  };
  const samples: Record<string, unknown> = {
    ...world,
    viewer: world.people.viewer,
    contributor: world.people.contributor,
    address: `${world.ada}@example.com`,
    photo: `${world.memoryId}/${crypto.randomUUID()}.jpg`,
  };
  const values: unknown[] = [];
  const text = texts[verb].replace(/(?<!:):(\w+)/g, (_, value: string) => {
    if (!(value in samples)) throw new Error(`The world has no "${value}"`);
    return `$${values.push(samples[value])}`;
  });
  return [text, values];
}
