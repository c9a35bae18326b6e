import type { Transaction } from "../../database/database.ts";
import { type Cadence, dueAt, type UnsentNotices } from "./due.ts";
import { isoDay, localTime } from "./local-time.ts";

/** A notice whose email is due, or whose due time has to be computed. */
export interface UnsentNotice {
  id: string;
  user_id: string;
  memory_id: string | null;
  kind: string;
  is_read: boolean;
  cadence: Cadence | null;
  since: Date;
  until: Date;
  zone: string;
  paused_until: string | null;
  mailed_at: Date | null;
}

/** `chosen` selects the rows by an index, and locks them. */
const unsentWhere = (chosen: string) => `
  select n.id, n.user_id, n.memory_id, n.kind, n.read_at is not null as is_read,
    private.mail_cadence(n.user_id, n.memory_id) as cadence, n.email_due_since as since, n.created_at as until,
    coalesce(s.time_zone, 'UTC') as zone, greatest(s.paused_until, w.paused_until) as paused_until, x.mailed_at
  from (select notice_id from private.notice_emails where ${chosen} for update skip locked) e
  join notices n on n.id = e.notice_id and n.email_due_since is not null
  left join notice_settings s on s.user_id = n.user_id
  left join notice_preferences w on w.user_id = n.user_id and w.memory_id = n.memory_id
  left join private.notice_mail x on x.user_id = n.user_id and x.memory_id = n.memory_id
    -- A skipped email does not count.
    and not exists (select from private.outbox o where o.dedupe_key = 'notices:' || x.letter and o.state = 'skipped')`;
const UNSCHEDULED = unsentWhere("due_at = '-infinity' limit $1");
const DUE = unsentWhere("user_id = $1 and due_at > '-infinity' and due_at <= $2");

const UPLOADS = `
  select memory_id, min(email_due_since) as since, max(created_at) as until from notices
  where user_id = $1 and memory_id = any ($2::uuid[]) and kind = 'added' and read_at is null and email_due_since is not null
  group by memory_id`;

// An upload may have locked notices of several people, so this waits for nobody.
const CANCEL = `
  update notices set email_due_since = null
  where ctid = any (array(select ctid from notices where id = any ($1::uuid[]) for update skip locked))`;

const RESCHEDULE = `
  update private.notice_emails e set due_at = x.due_at
  from unnest($1::uuid[], $2::timestamptz[]) x (id, due_at) where e.notice_id = x.id`;

/** Computes the due times of a batch of notices that have none; resolves to the number of notices. */
export async function scheduleBatch(tx: Transaction, now: Date, most: number): Promise<number> {
  const { rows } = await tx.query<UnsentNotice>(UNSCHEDULED, [most]);
  await sortOut(tx, rows, now);
  return rows.length;
}

/** Locks a person's due notices. Those that turn out not to be due get another due time, or no email. */
export async function dueNotices(tx: Transaction, person: string, now: Date): Promise<UnsentNotice[]> {
  const { rows } = await tx.query<UnsentNotice>(DUE, [person, now]);
  const memories = rows.flatMap(({ kind, cadence, memory_id }) =>
    kind === "added" && cadence === "instantly" && memory_id ? memory_id : [],
  );
  const uploads = new Map<string, Pick<UnsentNotices, "since" | "until">>();
  if (memories.length > 0) {
    const { rows: groups } = await tx.query<{ memory_id: string; since: Date; until: Date }>(UPLOADS, [
      person,
      [...new Set(memories)],
    ]);
    for (const { memory_id, since, until } of groups) uploads.set(memory_id, { since, until });
  }
  // Uploads of several people to a memory are one email.
  const together = rows.map((notice) => ({
    ...notice,
    ...(notice.kind === "added" && notice.memory_id ? uploads.get(notice.memory_id) : undefined),
  }));
  return sortOut(tx, together, now);
}

/** Sets other due times of notices. */
export async function postpone(tx: Transaction, notices: readonly UnsentNotice[], until: Date): Promise<void> {
  await tx.query(RESCHEDULE, [notices.map(({ id }) => id), notices.map(() => until)]);
}

/** Stores the due times of notices, and cancels emails that are not wanted. Resolves to the due ones. */
async function sortOut(tx: Transaction, notices: readonly UnsentNotice[], now: Date): Promise<UnsentNotice[]> {
  const times = notices.map((notice) => ({ notice, at: isWanted(notice, now) ? timeOf(notice) : undefined }));
  const cancelled = times.filter(({ at }) => at === undefined);
  if (cancelled.length > 0) await tx.query(CANCEL, [cancelled.map(({ notice }) => notice.id)]);
  if (times.length > 0) {
    await tx.query(RESCHEDULE, [times.map(({ notice }) => notice.id), times.map(({ at }) => at ?? now)]);
  }
  return times.flatMap(({ notice, at }) => (at && at <= now ? notice : []));
}

/** Whether an email about a notice is wanted. Notices that are read or arrive during a pause stay in the list. */
const isWanted = ({ is_read, paused_until, zone }: UnsentNotice, now: Date): boolean =>
  !is_read && (paused_until === null || isoDay(localTime(now, zone)) >= paused_until);

const timeOf = ({ cadence, mailed_at, ...notice }: UnsentNotice): Date | undefined =>
  dueAt({ ...notice, cadence: cadence ?? "never", mailedAt: mailed_at });
