import type { Database, Transaction } from "../../database/database.ts";
import { enqueuePush } from "../outbox.ts";
import { dueAt } from "./due.ts";
import { isoDay, localTime } from "./local-time.ts";

interface Pending {
  id: string;
  memory_id: string | null;
  kind: string;
  is_wanted: boolean;
  since: Date;
  until: Date;
  zone: string;
  paused_until: string | null;
  pushed_at: Date | null;
}

/** How long a message is worth sending after its notice, in milliseconds. */
const WORTH_MS = 86_400_000;

const PEOPLE = "select distinct user_id from private.notice_pushes where due_at <= $1";

// The row of the account is the lock between processes. Another process that has it tells this person's devices.
const LOCK = "select from auth.users where id = $1 for no key update skip locked";

const PENDING = `
  select n.id, n.memory_id, n.kind, n.read_at is null and coalesce(w.push, true) as is_wanted, p.since, n.created_at as until,
    coalesce(s.time_zone, 'UTC') as zone, greatest(s.paused_until, w.paused_until) as paused_until, x.pushed_at
  from (select notice_id, since from private.notice_pushes where user_id = $1 for update skip locked) p
  join notices n on n.id = p.notice_id
  left join notice_settings s on s.user_id = n.user_id
  left join notice_preferences w on w.user_id = n.user_id and w.memory_id = n.memory_id
  left join private.push_times x on x.user_id = n.user_id and x.memory_id = n.memory_id
  order by n.created_at, n.id`;

const RESCHEDULE = `
  update private.notice_pushes p set due_at = x.due_at
  from unnest($1::uuid[], $2::timestamptz[]) x (id, due_at) where p.notice_id = x.id`;

const PUSHED = `
  insert into private.push_times (user_id, memory_id, pushed_at) values ($1, $2, $3)
  on conflict (user_id, memory_id) do update set pushed_at = excluded.pushed_at`;

/**
 * Enqueues the messages to people's devices that are due at `now`: about a memory at most one in a quarter of an hour,
 * urgent ones at once. One transaction per person removes the notices from the queue and enqueues the messages.
 */
export async function enqueueDuePushes(db: Database, now: Date): Promise<void> {
  const { rows: people } = await db.query<{ user_id: string }>(PEOPLE, [now]);
  for (const { user_id } of people) await db.transaction((tx) => tellDevices(tx, user_id, now));
}

async function tellDevices(tx: Transaction, person: string, now: Date): Promise<void> {
  const { rows: locked } = await tx.query(LOCK, [person]);
  if (locked.length === 0) return;
  const { rows } = await tx.query<Pending>(PENDING, [person]);
  const pending = rows.map((notice) => ({ notice, at: isWanted(notice, now) ? timeOf(notice) : undefined }));
  const memories = new Set(pending.flatMap(({ notice, at }) => (at && at <= now ? notice.memory_id : [])));
  const due = pending.filter(({ notice, at }) => at && memories.has(notice.memory_id));
  const unwanted = pending.filter(({ at }) => at === undefined);
  const later = pending.flatMap(({ notice, at }) =>
    at && !memories.has(notice.memory_id) ? [{ id: notice.id, at }] : [],
  );

  const { rows: devices } = await tx.query<{ session_id: string }>(
    "select session_id from push_devices where user_id = $1 order by session_id",
    [person],
  );
  for (const memory of memories) {
    const notices = due.flatMap(({ notice }) => (notice.memory_id === memory ? notice.id : []));
    for (const { session_id } of devices) {
      await enqueuePush(tx, {
        session: session_id,
        props: { person, notices },
        expiresAt: new Date(now.getTime() + WORTH_MS),
      });
    }
    if (memory !== null) await tx.query(PUSHED, [person, memory, now]);
  }
  await tx.query("delete from private.notice_pushes where notice_id = any ($1::uuid[])", [
    [...due, ...unwanted].map(({ notice }) => notice.id),
  ]);
  await tx.query(RESCHEDULE, [later.map(({ id }) => id), later.map(({ at }) => at)]);
}

/** Whether devices are told of a notice. Notices that are read or arrive during a pause stay in the list. */
const isWanted = ({ is_wanted, paused_until, zone }: Pending, now: Date): boolean =>
  is_wanted && (paused_until === null || isoDay(localTime(now, zone)) >= paused_until);

const timeOf = ({ kind, since, until, zone, pushed_at }: Pending): Date | undefined =>
  dueAt({ kind, cadence: "instantly", since, until, zone, mailedAt: pushed_at });
