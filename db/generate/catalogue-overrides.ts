/**
 * TypeScript types that the database's catalogue does not contain. `tests/policies/answers.test.ts` compares the
 * results of functions with them.
 */

const SEEN = '"shown" | "held" | "hidden"';

/** Types of columns that are narrower than the SQL type and its checks; each type is without null. */
export const COLUMN_TYPES: Record<string, string> = {
  "card_deliveries.address": "Delivery",
  "cart_items.item": "Record<string, Json>",
  "day_replies.answers": "Record<string, string[]>",
  "memory_services.items":
    '{ id: string; kind: "hymn" | "reading" | "prayer" | "music" | "words" | "part"; title: string; by: string; text: string }[]',
  "day_reply_settings.questions": '{ id: string; kind: "text" | "one" | "several"; text: string; choices: string[] }[]',
  // The row policies of the trash prevent every caller from reading or writing "deleted".
  "comments.moderation": SEEN,
  // The row of a Live Photo's video is readable, but no list shows it.
  "media.edit": "PhotoEdit",
  "media.moderation": `${SEEN} | "attached"`,
  "reactions.moderation": SEEN,
  "stories.moderation": SEEN,
  "metal_cards.state": '"unclaimed" | "claimed" | "assigned" | "lost" | "disabled"',
  "order_items.terms": "{ name: string; term_years?: number | null; included_cards?: number }",
};

/** Columns without a default that a trigger fills if an insert omits them. */
export const FILLED_BY_TRIGGERS: readonly string[] = [
  "affiliates.code",
  "cart_items.price",
  "user_subscriptions.amount",
  "user_subscriptions.currency",
  "user_subscriptions.name",
  "user_subscriptions.storage_gb",
];

/** Arguments that may be null although null is not their default. */
export const ARGUMENTS: Record<string, string> = {
  "put_in_album.album_id": "string | null",
  "restore_media_dates.dates": "(string | null)[]",
  "restore_media_dates.expected": "(string | null)[]",
  "restore_order.positions": "(number | null)[]",
  "restore_order.expected": "(number | null)[]",
  "save_day_reply.answer": 'Row<"day_replies">["answer"]',
  "save_day_reply_settings.closes_at": "string | null",
  "save_day_reply_settings.places": "number | null",
  "set_media_dates.dates": "(string | null)[]",
};

const PHOTO = 'Pick<Row<"media">, "id" | "type" | "placeholder" | "colour">';

/** Result columns of table functions whose type differs from the SQL type: narrower, or nullable. */
export const RESULT_COLUMNS: Record<string, Record<string, string>> = {
  desk_people: {
    email: "string | null",
    role: '"admin" | "support" | "fulfilment" | "editor" | null',
    last_sign_in_at: "string | null",
  },
  desk_figures: {
    accounts: "number | null",
    active: "number | null",
    all_memories: "number | null",
    all_media: "number | null",
    stored: "number | null",
    revenue: "Partial<Record<Currency, number>>",
    refunds: "Partial<Record<Currency, number>>",
    cards: 'Partial<Record<Row<"metal_cards">["making"], number>>',
    counted_at: "string | null",
  },
  desk_inbox: {
    kind: '"message" | "report"',
    state: 'Row<"inbox_items">["state"]',
    assignee: "string | null",
    assignee_name: "string | null",
  },
  desk_outbox: { medium: '"mail" | "sms"', last_error: "string | null" },
  deleted_items: { kind: 'Row<"trash">["kind"]', memory_id: "string | null", media: `${PHOTO} | null` },
  link_openings: { device: 'Row<"share_openings">["device"]', person: "string | null" },
  memory_people: { role: '"owner" | Row<"memory_members">["role"]' },
  moderation_queue: {
    kind: '"media" | "story" | "comment" | "reaction"',
    user_id: "string | null",
    guest_id: "string | null",
    link_id: "string | null",
    link_label: "string | null",
    media: `(${PHOTO} & Pick<Row<"media">, "object_name" | "poster_name" | "width" | "height" | "state">) | null`,
  },
  my_affiliate_balances: { currency: "Currency" },
  my_invitations: { kind: 'Row<"memories">["kind"]', role: 'Row<"memory_members">["role"]' },
  my_sessions: { user_agent: "string | null", ip: "string | null", last_seen_at: "string" },
  payable_affiliates: { currency: "Currency" },
  photo_outline: { ratios: "(number | null)[]", dates: "(string | null)[]", cover: "string | null" },
  upload_occasion: {
    kind: 'Row<"memories">["kind"]',
    birth_date: "string | null",
    passing_date: "string | null",
    event_date: "string | null",
  },
  search: {
    kind: '"memory" | "story" | "moment" | "comment" | "photo" | "person" | "file" | "album"',
    memory_id: "string | null",
    on_date: "string | null",
    photo_id: "string | null",
    picture: `(${PHOTO} & Pick<Row<"media">, "object_name" | "poster_name"> & { on_back: boolean }) | null`,
  },
  recent_activity: { kind: '"added" | "told" | "joined" | "began"', author: "string | null" },
};

const STAFF_ROLE = '"admin" | "support" | "fulfilment" | "editor" | null';
const LABEL = "{ id: string; name: string } | null";
const LIMITS =
  "{ plan_id: string; name: string; max_memories: number | null; storage_gb: number; storage_bytes: number; expires_at: string | null }";
const STORAGE_USE = "{ totalSize: number; maxStorage: number; usagePercentage: number }";

/** The results of functions that return `json`. */
export const JSON_RESULTS: Record<string, string> = {
  apply_voucher:
    "{ valid: boolean; discount_percentage: number; message: string; plan_ids?: string[] | null; applies_to_cards?: boolean }",
  block_person:
    '{ id: string; hidden: { kind: "media" | "story" | "comment" | "reaction"; id: string; was: Row<"stories">["moderation"] }[] }',
  desk_inbox_item: `{ id: string; kind: "message" | "report"; state: Row<"inbox_items">["state"]; assignee: string | null; created_at: string; message: { name: string; email: string; subject: string; html: string } | null; report: (Pick<Row<"reports">, "kind" | "reason" | "words" | "email" | "outcome" | "settled_at"> & { settled_by: ${LABEL}; reporter: ${LABEL}; guest: boolean; item_state: "shown" | "held" | "hidden" | "deleted" | "attached" | "gone"; owner: ${LABEL}; author: ${LABEL}; of_item: number; of_memory: number; of_owner: number }) | null; entries: (Pick<Row<"inbox_entries">, "id" | "kind" | "body" | "created_at"> & { author: ${LABEL}; mail: "waiting" | "sent" | "dead" | "skipped" | null })[]; staff: { id: string; name: string }[] }`,
  desk_person: `{ id: string; email: string | null; phone: string | null; full_name: string; role: ${STAFF_ROLE}; language: string | null; suspended: boolean; confirmed: boolean; created_at: string; last_sign_in_at: string | null; providers: string[]; counts: { memories: number; in_trash: number; photos: number; videos: number }; stored: number; plan: ${LIMITS}; plans: (Pick<Row<"user_subscriptions">, "id" | "name" | "status" | "starts_at" | "expires_at" | "order_id">)[]; orders: Pick<Row<"orders">, "id" | "number" | "status" | "currency" | "total" | "refunded" | "created_at">[]; sessions: { id: string; user_agent: string | null; ip: string | null; aal: string; created_at: string; last_seen_at: string }[]; factors: { id: string; type: "totp" | "phone"; name: string | null; status: "unverified" | "verified"; created_at: string }[] }`,
  desk_file_failures:
    "{ given_up: number; retried: number; files: { object_id: string; job: string; reason: string; failures: number; failed_at: string; given_up_at: string | null; mime_type: string; size: number }[] }",
  desk_read_back:
    '{ round: { started_at: string; finished_at: string | null; bytes_per_day: number | null; stored_files: number; round_files: number; files: number; bytes: number; differences: number; mended: number } | null; mending: number; lost: number; files: { object_id: string; kind: "other-bytes" | "other-length" | "missing" | "unreadable"; found_at: string; reason: string | null; lost_at: string | null; told_at: string | null; bucket: string; mime_type: string | null; size: number | null }[] }',
  desk_queues:
    "{ outbox: number; failed_mails: number; photos: number; videos: number; reports: number; messages: number }",
  desk_system: `{ jobs: { process: string; job: string; status: "waiting" | "running" | "failing"; started_at: string | null; succeeded_at: string | null; failures: number; error_at: string | null; error: string | null; seen_at: string }[]; refusals: Record<string, number>; outbox: { waiting: number; dead: number }; database_bytes: number; database_version: string; tables: { name: string; bytes: number; rows: number }[]; storage: { stored: number; uploads: number; upload_bytes: number; discarded: number; orphans: number }; schema: string }`,
  end_granted_plan: LIMITS,
  grant_plan: LIMITS,
  memory_rights:
    '{ role: "owner" | Row<"memory_members">["role"] | "visitor" | null; delete: boolean; manage: boolean; view: boolean; contribute: boolean; comment: boolean; download: boolean }',
  moderate: '{ kind: "media" | "story" | "comment" | "reaction"; id: string; was: Row<"stories">["moderation"] }[]',
  record_payout: "{ id: string; left: number }",
  restore_deleted: '{ kind: Row<"trash">["kind"]; id: string; memory_id: string | null }[]',
  save_day_reply: "{ id: string; waiting: boolean; revision: number }",
  storage_use: STORAGE_USE,
  storage_stats: `${STORAGE_USE} & { imageCount: number; videoCount: number; recordingCount: number; trash: { bytes: number; bytesOfOthers: number; itemsOfOthers: number }; largest: (Pick<Row<"media">, "id" | "memory_id" | "type" | "size" | "object_name" | "poster_name" | "placeholder" | "width" | "height" | "duration" | "created_at"> & Pick<Row<"media_details">, "mime_type" | "file_name"> & { memory_name: string })[] }`,
};
