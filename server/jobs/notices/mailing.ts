import { randomUUID } from "node:crypto";
import type { Database, Transaction } from "../../database/database.ts";
import type { NoticeEmailName, NoticeOrder } from "../../emails/email-props.ts";
import { languageOf } from "../../emails/language.ts";
import { enqueueNoticeMail } from "../outbox.ts";
import { APART_MS, type Cadence, dueAt, isUrgent } from "./due.ts";
import { isoDay, localTime } from "./local-time.ts";

/** The unsent notices of one kind to one person, about one memory or their account. */
interface UnsentRow {
  user_id: string;
  memory_id: string | null;
  kind: string;
  cadence: Cadence;
  since: Date;
  until: Date;
  zone: string;
  paused_until: string | null;
  mailed_at: Date | null;
}

interface Claimed {
  id: string;
  memory_id: string | null;
  kind: string;
  mailed_count: number;
}

/**
 * Enqueues the emails about notices that are due at `now`. One transaction marks the notices and enqueues their email,
 * so a process that dies in between has changed nothing. Other processes skip the locked notices.
 */
export async function enqueueDueEmails(db: Database, now: Date): Promise<void> {
  // Notices that are read or not wanted by email need no email.
  await db.query(
    `update notices set email_due_since = null where email_due_since is not null
       and (read_at is not null or private.mail_cadence(user_id, memory_id) = 'never')`,
  );
  const { rows } = await db.query<UnsentRow>(
    `select n.user_id, n.memory_id, n.kind, private.mail_cadence(n.user_id, n.memory_id) as cadence, n.since, n.until,
       coalesce(s.time_zone, 'UTC') as zone, greatest(s.paused_until, w.paused_until) as paused_until, x.mailed_at
     from (select user_id, memory_id, kind, min(email_due_since) as since, max(created_at) as until from notices
       where email_due_since is not null group by user_id, memory_id, kind) n
     left join notice_settings s on s.user_id = n.user_id
     left join notice_preferences w on w.user_id = n.user_id and w.memory_id = n.memory_id
     left join private.notice_mail x on x.user_id = n.user_id and x.memory_id = n.memory_id
       -- A skipped email does not count.
       and not exists (select from private.outbox o where o.dedupe_key = 'notices:' || x.letter and o.state = 'skipped')`,
  );
  const due = new Map<string, UnsentRow[]>();
  for (const unsent of rows) {
    if (unsent.paused_until !== null && isoDay(localTime(now, unsent.zone)) < unsent.paused_until) {
      await cancelEmails(db, unsent);
      continue;
    }
    const at = dueAt({ ...unsent, mailedAt: unsent.mailed_at });
    if (at && at <= now) due.set(unsent.user_id, [...(due.get(unsent.user_id) ?? []), unsent]);
  }
  for (const [person, unsent] of due) await db.transaction((tx) => write(tx, person, unsent, now));
}

/** Cancels the emails of notices during a pause. The notices stay in the list. */
const cancelEmails = (db: Database, { user_id, memory_id, kind }: UnsentRow) =>
  db.query(
    `update notices set email_due_since = null
     where user_id = $1 and memory_id is not distinct from $2::uuid and kind = $3 and email_due_since is not null`,
    [user_id, memory_id, kind],
  );

async function write(tx: Transaction, person: string, unsent: readonly UnsentRow[], now: Date): Promise<void> {
  const to = await recipientOf(tx, person);
  if (!to) return;
  const enqueue = (
    template: NoticeEmailName,
    cadence: NoticeOrder["cadence"],
    notices: Claimed[],
    email: string = randomUUID(),
  ) =>
    enqueueNoticeMail(tx, {
      ...to,
      template,
      props: { person, cadence, notices: notices.map(({ id, mailed_count }) => ({ id, told: mailed_count })) },
      dedupeKey: `notices:${email}`,
    });

  for (const one of unsent.filter(({ kind }) => isUrgent(kind))) {
    for (const notice of await claim(tx, [one], now)) await enqueue(emailOf(notice.kind), "instantly", [notice]);
  }
  const regular = unsent.filter(({ kind }) => !isUrgent(kind));
  const immediate = regular.filter(({ cadence }) => cadence === "instantly");
  for (const memory of new Set(immediate.map(({ memory_id }) => memory_id))) {
    const email = randomUUID();
    if (memory === null || !(await tryRecordImmediateEmail(tx, person, memory, email, now))) continue;
    const notices = await claim(
      tx,
      immediate.filter(({ memory_id }) => memory_id === memory),
      now,
    );
    if (notices.length > 0) await enqueue("notices", "instantly", notices, email);
  }
  const digest = regular.filter(({ cadence }) => cadence !== "instantly");
  const notices = await claim(tx, digest, now);
  const cadence = digest.some((one) => one.cadence === "daily") ? "daily" : "weekly";
  if (notices.length > 0) await enqueue("notices", cadence, notices);
}

const URGENT_EMAILS: Record<string, NoticeEmailName> = { locked: "link-locked", "file-lost": "file-lost" };
const emailOf = (kind: string): NoticeEmailName =>
  URGENT_EMAILS[kind] ?? (kind.startsWith("storage") ? "storage-warning" : "reminder");

async function recipientOf(tx: Transaction, person: string) {
  const { rows } = await tx.query<{ email: string; chosen: string | null; shown: string | null }>(
    `select u.email, u.raw_user_meta_data ->> 'language' as chosen, s.language as shown
     from auth.users u left join notice_settings s on s.user_id = u.id where u.id = $1 and u.email is not null`,
    [person],
  );
  const [recipient] = rows;
  return recipient && { to: recipient.email, language: languageOf(recipient.chosen ?? recipient.shown, undefined) };
}

/**
 * Records an immediate email about a memory, and resolves to whether it may be sent: the last one is at least a quarter
 * of an hour old, and none waits in the outbox. The row is the lock between processes.
 */
async function tryRecordImmediateEmail(tx: Transaction, person: string, memory: string, email: string, now: Date) {
  const { rows } = await tx.query(
    `insert into private.notice_mail as last (user_id, memory_id, mailed_at, letter) values ($1, $2, $3, $4)
     on conflict (user_id, memory_id) do update set mailed_at = excluded.mailed_at, letter = excluded.letter
     where not exists (select from private.outbox o where o.dedupe_key = 'notices:' || last.letter and o.state = 'waiting')
       and (last.mailed_at <= $5
         or exists (select from private.outbox o where o.dedupe_key = 'notices:' || last.letter and o.state = 'skipped'))
     returning letter`,
    [person, memory, now, email, new Date(now.getTime() - APART_MS)],
  );
  return rows.length > 0;
}

/** Locks notices of these kinds for an email, except those that another process has locked. */
async function claim(tx: Transaction, unsent: readonly UnsentRow[], now: Date): Promise<Claimed[]> {
  const claimed: Claimed[] = [];
  for (const { user_id, memory_id, kind } of unsent) {
    const { rows } = await tx.query<Claimed>(
      `with mine as (
         select id, mailed_count from notices
         where user_id = $1 and memory_id is not distinct from $2::uuid and kind = $3 and email_due_since is not null
         order by created_at for update skip locked
       )
       update notices n set email_due_since = null, mailed_at = $4, mailed_count = n.count
       from mine where n.id = mine.id returning n.id, n.memory_id, n.kind, mine.mailed_count`,
      [user_id, memory_id, kind, now],
    );
    claimed.push(...rows);
  }
  return claimed;
}
