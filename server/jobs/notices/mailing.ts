import { randomUUID } from "node:crypto";
import type { Database, Transaction } from "../../database/database.ts";
import type { NoticeEmailName, NoticeOrder } from "../../emails/email-props.ts";
import { languageOf } from "../../emails/language.ts";
import { enqueueNoticeMail } from "../outbox.ts";
import { APART_MS, isUrgent } from "./due.ts";
import { dueNotices, postpone, scheduleBatch, type UnsentNotice } from "./unsent-notices.ts";

interface Claimed {
  id: string;
  memory_id: string | null;
  kind: string;
  mailed_count: number;
}

/** The number of notices in a transaction that computes due times. */
const BATCH = 500;
/** How long notices wait before another attempt, while an earlier email about their memory waits to be sent. */
const RETRY_MS = 60_000;

/** People with due notices. */
const PEOPLE = "select distinct user_id from private.notice_emails where due_at > '-infinity' and due_at <= $1";

// The row of the account is the lock between processes. Another process that has it sends this person's email.
const RECIPIENT = `
  select u.email, u.raw_user_meta_data ->> 'language' as chosen, s.language as shown
  from auth.users u left join notice_settings s on s.user_id = u.id where u.id = $1 for no key update of u skip locked`;

// Uploads of several people to a memory are one email, also those that are not due yet.
const CLAIM = `
  with mine as (
    select id, mailed_count from notices
    where (id = any ($1::uuid[]) or user_id = $2 and memory_id = $3::uuid and kind = 'added')
      and email_due_since is not null and read_at is null
    order by created_at for update skip locked
  )
  update notices n set email_due_since = null, mailed_at = $4, mailed_count = n.count
  from mine where n.id = mine.id returning n.id, n.memory_id, n.kind, mine.mailed_count`;

/**
 * Enqueues the emails about notices that are due at `now`. One transaction marks the notices and enqueues their email,
 * so a process that dies in between has changed nothing. Other processes skip the locked notices. New notices get a due
 * time first, and are found by it.
 */
export async function enqueueDueEmails(db: Database, now: Date): Promise<void> {
  while ((await db.transaction((tx) => scheduleBatch(tx, now, BATCH))) === BATCH);
  const { rows: people } = await db.query<{ user_id: string }>(PEOPLE, [now]);
  for (const { user_id } of people) await db.transaction((tx) => write(tx, user_id, now));
}

async function write(tx: Transaction, person: string, now: Date): Promise<void> {
  const to = await recipientOf(tx, person);
  if (!to) return;
  const due = await dueNotices(tx, person, now);
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

  const claim = async (notices: readonly UnsentNotice[], uploadsTo: string | null = null): Promise<Claimed[]> => {
    const ids = notices.map(({ id }) => id);
    return ids.length > 0 ? (await tx.query<Claimed>(CLAIM, [ids, person, uploadsTo, now])).rows : [];
  };

  for (const notice of await claim(due.filter(({ kind }) => isUrgent(kind)))) {
    await enqueue(emailOf(notice.kind), "instantly", [notice]);
  }
  const regular = due.filter(({ kind }) => !isUrgent(kind));
  const immediate = regular.filter(({ cadence }) => cadence === "instantly");
  for (const memory of new Set(immediate.map(({ memory_id }) => memory_id))) {
    const group = immediate.filter(({ memory_id }) => memory_id === memory);
    const email = randomUUID();
    if (memory === null || !(await tryRecordImmediateEmail(tx, person, memory, email, now))) {
      await postpone(tx, group, new Date(now.getTime() + RETRY_MS));
      continue;
    }
    const notices = await claim(group, group.some(({ kind }) => kind === "added") ? memory : null);
    if (notices.length > 0) await enqueue("notices", "instantly", notices, email);
  }
  const digest = regular.filter(({ cadence }) => cadence !== "instantly");
  const notices = await claim(digest);
  const cadence = digest.some((one) => one.cadence === "daily") ? "daily" : "weekly";
  if (notices.length > 0) await enqueue("notices", cadence, notices);
}

const URGENT_EMAILS: Record<string, NoticeEmailName> = { locked: "link-locked", "file-lost": "file-lost" };
const emailOf = (kind: string): NoticeEmailName =>
  URGENT_EMAILS[kind] ?? (kind.startsWith("storage") ? "storage-warning" : "reminder");

/** Locks the account of a person; resolves to undefined if another process has locked it. */
async function recipientOf(tx: Transaction, person: string) {
  const { rows } = await tx.query<{ email: string | null; chosen: string | null; shown: string | null }>(RECIPIENT, [
    person,
  ]);
  const [recipient] = rows;
  // Notices without an address are cancelled, because no email about them is wanted.
  return (
    recipient && { to: recipient.email ?? "", language: languageOf(recipient.chosen ?? recipient.shown, undefined) }
  );
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
