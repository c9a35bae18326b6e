import { describe, expect, test } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { isSqlError } from "../../server/database/database.ts";
import { testDatabase } from "../support/database.ts";
import { VIEWS_OF_POLICIES } from "../support/views-of-policies.ts";
import { makeWorld, WHO, type Who } from "../support/world.ts";
import { type Statement, statementOf } from "./statements.ts";

const VERBS = ["select", "insert", "update", "delete"] as const;
type Verb = (typeof VERBS)[number];

/**
 * The permissions of each kind of caller on Ada's rows, with one mark each for select, insert, update and delete:
 * allowed (1), without an effect, as if the rows did not exist (0), or refused (×).
 */
const PERMISSIONS = `
                             nobody  stranger  visitor  superseded  guest  wall  letter  viewer  contributor  co-owner  owner  service  administrator  support  fulfilment  editor  aal1-admin
  public.profiles            ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         0×0×      1×1×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.memories            0×××    0×00      1×××     0×××        1×××   0×××  0×××    1×00    1×00         1×10      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.media               0×0×    0×0×      1×0×     0×0×        1×0×   1×0×  0×0×    1×0×    1×0×         1×1×      1×1×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.media_details       0×××    0×××      0×××     0×××        0×××   0×××  0×××    0×××    1×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.media_credits       0×××    0×××      1×××     0×××        1×××   1×××  0×××    1×××    1×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.pictured_people     0×××    0×0×      1×××     0×××        11××   0×××  0×××    1×0×    111×         111×      111×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.media_names         0×00    0×00      1×00     0×00        1×00   0×00  0×00    1×00    1111         1111      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.pictured_identities 0×××    0××0      1×××     0×××        1×××   0×××  0×××    1××0    11×1         11×1      11×1   1111     0××0           0××0     0××0        0××0    0××0
  public.who_questions       0××0    0××0      1××0     0××0        11×0   0××0  0××0    1××0    11×1         11×1      11×1   1111     0××0           0××0     0××0        0××0    0××0
  public.photo_letters       0×××    0×0×      0×××     0×××        0×××   0×××  1×××    0×0×    0×0×         1×1×      1×1×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.photo_answers       ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         1×1×      1×1×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.picture_requests    ××××    0×0×      ××××     ××××        ××××   ××××  ××××    1×0×    0×0×         1×1×      1×1×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.media_name_suggestions  0×0×  0×0×    0×0×     0×0×        0×0×   0×0×  0×0×    0×0×    1×1×         1×1×      1×1×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.guests              0×××    0×××      0×××     0×××        1×××   0×××  0×××    0×××    0×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.stories             0××0    0×00      1××0     0××0        11×0   0××0  0××0    1×00    1100         1111      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.story_credits       0×××    0×××      1×××     0×××        1×××   0×××  0×××    1×××    1×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.memory_entries      0×××    0×00      1×××     0×××        1×××   0×××  0×××    1×00    1×00         1111      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.entry_streams       0×××    0××0      1×××     0×××        1×××   0×××  0×××    1××0    1××0         11×1      11×1   1111     0××0           0××0     0××0        0××0    0××0
  public.day_reply_settings  0×××    0×0×      1×××     0×××        1×××   0×××  0×××    1×0×    1×0×         111×      111×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.memory_prints       ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         111×      111×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.memory_services     ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         111×      111×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.day_replies         0×××    0×××      0×××     0×××        1×××   0×××  0×××    0×××    0×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.reveals             0×××    0×0×      1×××     0×××        1×××   0×××  0×××    1×0×    1×0×         111×      111×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.slideshows          0×××    0×00      1×××     0×××        1×××   0×××  0×××    1×00    1×00         1111      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.slideshow_items     0×××    0××0      1×××     0×××        1×××   0×××  0×××    1××0    1××0         11×1      11×1   1111     0××0           0××0     0××0        0××0    0××0
  public.slideshow_films     ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.prompts             0×××    0×00      1×××     0×××        1×××   0×××  0×××    1×00    1×00         1111      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.trash               0×××    0×××      0×××     0×××        0×××   0×××  0×××    0×××    0×××         0×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.share_links         ××××    0×00      ××××     ××××        ××××   ××××  ××××    0×00    0×00         1111      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.memory_blocks       ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.memory_counts       0×××    0×××      1×××     0×××        1×××   0×××  0×××    1×××    1×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.memory_withdrawals  0×××    0×××      1×××     0×××        1×××   1×××  0×××    1×××    1×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.reports             ××××    0×0×      ××××     ××××        ××××   ××××  ××××    1×0×    0×0×         0×0×      0×0×   1111     1×1×           0×0×     0×0×        0×0×    0×0×
  public.contact_messages    ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         0×××      0×××   1111     1×××           0×××     0×××        0×××    0×××
  public.audit_log           ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         0×××      0×××   1×××     1×××           0×××     0×××        0×××    0×××
  public.staff_notes         ××××    0××0      ××××     ××××        ××××   ××××  ××××    0××0    0××0         0××0      0××0   1111     11×1           1××0     0××0        0××0    0××0
  public.inbox_items         ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         0×0×      0×0×   1×××     1×1×           1×1×     0×0×        0×0×    0×0×
  public.inbox_entries       ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         0×××      0×××   1111     11××           11××     0×××        0×××    0×××
  public.blog_posts          1×××    1×00      1×××     1×××        1×××   1×××  1×××    1×00    1×00         1×00      1×00   1111     1111           1×00     1×00        1111    1×00
  public.blog_revisions      ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         0×××      0×××   1×××     1×××           0×××     0×××        1×××    0×××
  public.link_versions       0×××    0×××      1×××     1×××        0×××   0×××  0×××    0×××    0×××         0×××      0×××   1111     0×××           0×××     0×××        0×××    0×××
  public.share_openings      ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.link_devices        ××××    0××0      ××××     ××××        ××××   ××××  ××××    0××0    0××0         1××1      1××1   1111     0××0           0××0     0××0        0××0    0××0
  public.walls               0×××    0×0×      0×××     0×××        0×××   1×××  0×××    0×0×    0×0×         1×1×      111×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.share_pins          ××××    0×00      ××××     ××××        ××××   ××××  ××××    0×00    0×00         1111      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.memory_members      ××××    0×00      ××××     ××××        ××××   ××××  ××××    1×01    0×00         1××1      1×11   1111     0×00           0×00     0×00        0×00    0×00
  public.albums              0×××    0100      0×××     0×××        0×××   0×××  0×××    0100    0100         0100      1111   1111     0100           0100     0100        0100    0100
  public.comments            0×××    0×0×      1×××     0×××        11××   1×××  0×××    1×0×    110×         111×      111×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.comment_credits     0×××    0×××      1×××     0×××        1×××   1×××  0×××    1×××    1×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.reactions           0××0    0××0      1××0     0××0        11×0   1××0  0××0    1××0    11×0         11×1      11×1   1111     0××0           0××0     0××0        0××0    0××0
  public.reaction_credits    0×××    0×××      1×××     0×××        1×××   1×××  0×××    1×××    1×××         1×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.invitations         ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         111×      111×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.handovers           ××××    0××0      ××××     ××××        ××××   ××××  ××××    0××0    0××0         1××1      10×1   1011     0××0           0××0     0××0        0××0    0××0
  public.subscription_plans  1×××    1×00      1×××     1×××        1×××   1×××  1×××    1×00    1×00         1×00      1×00   1111     1111           1×00     1×00        1×00    1×00
  public.plan_prices         1×××    1×00      1×××     1×××        1×××   1×××  1×××    1×00    1×00         1×00      1×00   1111     1111           1×00     1×00        1×00    1×00
  public.products            1×××    1×00      1×××     1×××        1×××   1×××  1×××    1×00    1×00         1×00      1×00   1111     1111           1×00     1×00        1×00    1×00
  public.product_prices      1×××    1×00      1×××     1×××        1×××   1×××  1×××    1×00    1×00         1×00      1×00   1111     1111           1×00     1×00        1×00    1×00
  public.quantity_discounts  1×××    1×00      1×××     1×××        1×××   1×××  1×××    1×00    1×00         1×00      1×00   1111     1111           1×00     1×00        1×00    1×00
  public.campaigns           ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         0×0×      0×0×   1111     1×1×           0×0×     0×0×        0×0×    0×0×
  public.vouchers            ××××    0×00      ××××     ××××        ××××   ××××  ××××    0×00    0×00         0×00      0×00   1111     1111           0×00     0×00        0×00    0×00
  public.voucher_uses        ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         0×××      1×××   1111     1×××           0×××     0×××        0×××    0×××
  public.user_subscriptions  ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         0×××      1×××   1111     0×××           0×××     0×××        0×××    0×××
  public.cart_items          ××××    0×00      ××××     ××××        ××××   ××××  ××××    0×00    0×00         0×00      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.orders              ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         0×××      1×××   1111     1×××           1×××     1×××        0×××    0×××
  public.order_items         ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         0×××      1×××   1111     1×××           1×××     1×××        0×××    0×××
  public.refunds             ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         0×××      0×××   1111     1×××           1×××     0×××        0×××    0×××
  public.affiliates          ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         0×0×      1×1×   1111     1×1×           0×0×     0×0×        0×0×    0×0×
  public.affiliate_clicks    ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         0×××      1×××   1111     1×××           0×××     0×××        0×××    0×××
  public.commissions         ××××    0×××      ××××     ××××        ××××   ××××  ××××    0×××    0×××         0×××      1×××   1111     1×××           0×××     0×××        0×××    0×××
  public.payouts             ××××    0××0      ××××     ××××        ××××   ××××  ××××    0××0    0××0         0××0      1××0   1111     11×1           0××0     0××0        0××0    0××0
  public.metal_cards         ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         0×0×      1×1×   1111     1×1×           1×0×     1×××        0×0×    0×0×
  public.card_secrets        ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         0×0×      111×   1111     111×           0×0×     111×        0×0×    0×0×
  public.card_deliveries     ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         0×0×      111×   1111     1×1×           1×0×     1×1×        0×0×    0×0×
  public.email_preferences   ××××    0×00      ××××     ××××        ××××   ××××  ××××    0×00    0×00         0×00      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.notices             ××××    0×0×      ××××     ××××        ××××   ××××  ××××    0×0×    0×0×         0×0×      1×1×   1111     0×0×           0×0×     0×0×        0×0×    0×0×
  public.notice_settings     ××××    0×00      ××××     ××××        ××××   ××××  ××××    0×00    0×00         0×00      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.notice_preferences  ××××    0×00      ××××     ××××        ××××   ××××  ××××    0×00    0×00         0×00      1111   1111     0×00           0×00     0×00        0×00    0×00
  public.push_devices        ××××    0××0      ××××     ××××        ××××   ××××  ××××    0××0    0××0         0××0      1××1   1111     0××0           0××0     0××0        0××0    0××0
  public.memory_reminders    ××××    0××0      ××××     ××××        ××××   ××××  ××××    1××0    1××0         1××0      11×1   1111     0××0           0××0     0××0        0××0    0××0
  storage.objects            0×00    0×00      1×00     0×00        1100   1×00  1×00    1×00    1100         1111      1111   1111     0×00           0×00     0×00        0×00    0×00
  storage.buckets            0×00    0×00      0×00     0×00        0×00   0×00  0×00    0×00    0×00         0×00      0×00   1111     0×00           0×00     0×00        0×00    0×00
`;

/** Tables for the server's own connection only: every caller, including the service, is refused all four verbs. */
const CLOSED = [
  "auth.attempts",
  "auth.flow_state",
  "auth.identities",
  "auth.known_devices",
  "auth.mfa_amr_claims",
  "auth.mfa_challenges",
  "auth.mfa_factors",
  "auth.oauth_client_states",
  "auth.one_time_tokens",
  "auth.refresh_tokens",
  "auth.sessions",
  "auth.signing_keys",
  "auth.users",
  "migrations.applied",
  "private.account_days",
  "private.account_use",
  "private.activity",
  "private.backup_places",
  "private.content_sources",
  "private.correspondents",
  "private.daily_figures",
  "private.daily_money",
  "private.damaged_files",
  "private.file_failures",
  "private.film_media",
  "private.guest_keys",
  "private.guest_receipts",
  "private.invitation_tokens",
  "private.job_leases",
  "private.job_states",
  "private.letter_keys",
  "private.link_device_keys",
  "private.measured_files",
  "private.media_claims",
  "private.media_sums",
  "private.member_names",
  "private.motion_claims",
  "private.notice_emails",
  "private.notice_mail",
  "private.notice_pushes",
  "private.outbox",
  "private.payment_events",
  "private.playback_claims",
  "private.prepared_downloads",
  "private.push_key",
  "private.push_times",
  "private.read_back",
  "private.refusals",
  "private.returned_amounts",
  "private.search_entries",
  "private.share_attempts",
  "private.totals",
  "private.video_copies",
  "private.web_files",
  "private.work",
  "realtime.changes",
  "storage.discarded",
  "storage.removed",
  "storage.uploads",
];

type Cell = "×" | 0 | 1;

const cell = (mark: string | undefined): Cell => {
  if (mark === "×") return mark;
  if (mark === "0" || mark === "1") return Number(mark) as 0 | 1;
  throw new Error(`The table of permissions has a mark that says "${mark}"`);
};

/** Returns the table as one line for each table, verb and caller. */
function lines(): [table: string, verb: Verb, who: Who, expected: Cell][] {
  const [head = "", ...rows] = PERMISSIONS.trim().split("\n");
  expect(head.trim().split(/\s+/)).toEqual([...WHO]);
  return rows.flatMap((row) => {
    const [table = "", ...cells] = row.trim().split(/\s+/);
    expect(cells.map(({ length }) => length)).toEqual(WHO.map(() => VERBS.length));
    return VERBS.flatMap((verb, v) =>
      WHO.map((who, i): [string, Verb, Who, Cell] => [table, verb, who, cell(cells[i]?.[v])]),
    );
  });
}

const db = await testDatabase();
const world = await makeWorld(db);

class Undo extends Error {}

/**
 * Runs a statement as a caller, and undoes it. Resolves to the number of affected rows, including those moved to the
 * trash, or to × if it was refused.
 */
async function reach(who: Who, [text, values]: Statement): Promise<number | "×"> {
  let reached = 0;
  try {
    await asCaller(db, world.callers[who], async (tx) => {
      const { rows, changed } = await tx.query(text, values);
      const trashed = /^delete/.test(text)
        ? await tx.query("select id from trash where deleted_at = now()")
        : { rows: [] };
      reached = Math.max(rows.length, changed, trashed.rows.length);
      throw new Undo();
    });
  } catch (error) {
    if (isSqlError(error) && error.code === "42501") return "×";
    if (!(error instanceof Undo)) throw error;
  }
  return reached;
}

describe("Ada's rows", () => {
  test.each(lines())("%s: %s by %s gives %s", async (table, verb, who, expected) => {
    expect(await reach(who, statementOf(world, who, table, verb))).toBe(expected);
  });
});

describe("tables of the server only", () => {
  test.each(CLOSED.flatMap((table) => WHO.map((who): [string, Who] => [table, who])))(
    "%s is closed to %s",
    async (table, who) => {
      const { rows } = await db.query<{ name: string }>(
        "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum limit 1",
        [table],
      );
      const column = rows[0]?.name;
      for (const text of [
        `select 1 from ${table}`,
        `insert into ${table} default values`,
        `update ${table} set ${column} = default`,
        `delete from ${table}`,
      ]) {
        expect(await reach(who, [text, []])).toBe("×");
      }
    },
  );
});

test("every table is covered here", async () => {
  const { rows } = await db.query<{ name: string }>(`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'
    order by 1`);
  // Views that only policies read have tests of their own: own-memories.test.ts and policies-without-calls.test.ts.
  const names = new Set([...lines().map(([table]) => table), ...CLOSED, ...VIEWS_OF_POLICIES]);
  expect(rows.map(({ name }) => name)).toEqual([...names].sort());
});
