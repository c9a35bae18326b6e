import type { PushMessage } from "../../../shared/push-message.ts";
import type { Database } from "../../database/database.ts";
import { type Language, languageOf } from "../../emails/language.ts";
import { noticeSentence } from "../../emails/notice-sentences.ts";
import { withoutLinks } from "../../emails/visible-targets.ts";
import type { PushTarget } from "../../gateways/push.ts";
import { memoryUrl, placeOfNotice, readerOf, type VisibleNotice, visibleNotices } from "./visible-notices.ts";

/** The notices of one memory about which a device is told. Stored as JSON until then. */
export interface PushOrder {
  person: string;
  notices: string[];
}

/** A message and the device that gets it. */
export interface WrittenPush {
  target: PushTarget;
  message: PushMessage;
}

export interface Pushes {
  /** Writes a message with its reader's permissions; undefined if nothing is left, or the device is no longer registered. */
  write(session: string, order: PushOrder): Promise<WrittenPush | undefined>;
  /** Removes a device whose browser has no such subscription any more. */
  forget(target: PushTarget): Promise<void>;
}

/** Lines of a notification. Phones show about three. */
const LINES = 3;

const DEVICE = `
  select d.endpoint, d.p256dh, d.auth, u.raw_user_meta_data ->> 'language' as chosen, n.language as shown
  from push_devices d join auth.sessions s on s.id = d.session_id join auth.users u on u.id = d.user_id
  left join notice_settings n on n.user_id = d.user_id
  where d.session_id = $1 and coalesce(s.not_after > now(), true) and coalesce(u.banned_until <= now(), true)`;

export const openPushes = ({ db }: { db: Database }): Pushes => ({
  async write(session, { person, notices }) {
    const { rows: devices } = await db.query<PushTarget & { chosen: string | null; shown: string | null }>(DEVICE, [
      session,
    ]);
    const [device] = devices;
    if (!device) return undefined;
    const { chosen, shown, ...target } = device;
    const rows = (await visibleNotices(db, readerOf(person), notices)).map((row) => ({
      ...row,
      count: row.kind === "held" ? row.waiting : row.count,
    }));
    const [first] = rows;
    if (!first) return undefined;
    const { rows: counts } = await db.query<{ unread: number }>(
      "select count(*)::integer as unread from notices where user_id = $1 and read_at is null",
      [person],
    );
    return { target, message: messageOf(first, rows, languageOf(chosen ?? shown, undefined), counts[0]?.unread ?? 0) };
  },
  async forget({ endpoint }) {
    await db.query("delete from push_devices where endpoint = $1", [endpoint]);
  },
});

function messageOf(first: VisibleNotice, rows: VisibleNotice[], language: Language, unread: number): PushMessage {
  const lines = rows
    .slice(0, LINES)
    .map((row) => noticeSentence(language, row.kind, withoutLinks(row.actor_name), row.count));
  const more = rows.length - lines.length;
  const place = memoryUrl("", first);
  return {
    title: withoutLinks(first.name ?? first.album ?? "") || "Skies",
    body: [...lines, ...(more > 0 ? [MORE[language](more)] : [])].join("\n"),
    path: rows.length === 1 ? place + placeOfNotice(first) : place,
    tag: first.memory_id ?? "account",
    unread,
  };
}

const MORE: Record<Language, (count: number) => string> = {
  en: (count) => `And ${count} more`,
  it: (count) => (count === 1 ? "E un’altra novità" : `E altre ${count} novità`),
};
