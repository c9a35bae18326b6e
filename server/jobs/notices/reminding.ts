import type { Database } from "../../database/database.ts";
import { reminderCheckAt, yearsToday } from "./due.ts";
import { isoDay, localTime, MORNING } from "./local-time.ts";

interface Reminder {
  memory_id: string;
  occasion: "birthday" | "passing" | "event";
  date: string | null;
}

interface Candidate extends Reminder {
  date: string;
  user_id: string;
  zone: string;
  paused_until: string | null;
}

/** The number of reminders that a statement claims. */
const BATCH = 500;
/** The lifetime of a claim. The reminders of a killed process are delayed by this time. */
const CLAIM_MS = 30_000;

const CLAIM = `
  update memory_reminders r set due_at = $2
  from (select memory_id, occasion from memory_reminders where due_at <= $1 order by due_at limit $3 for update skip locked) due
  join memories m on m.id = due.memory_id
  where r.memory_id = due.memory_id and r.occasion = due.occasion
  returning r.memory_id, r.occasion,
    case r.occasion when 'birthday' then m.birth_date when 'passing' then m.passing_date else m.event_date end as date`;

const PEOPLE = `
  select r.memory_id, r.occasion, r.date, p.user_id, coalesce(s.time_zone, 'UTC') as zone,
    greatest(s.paused_until, w.paused_until) as paused_until
  from unnest($1::uuid[], $2::text[], $3::text[]) r (memory_id, occasion, date)
  join memories m on m.id = r.memory_id and not m.draft
  cross join lateral private.people_of(m.id) p (user_id)
  left join notice_settings s on s.user_id = p.user_id
  left join notice_preferences w on w.user_id = p.user_id and w.memory_id = m.id
  where not exists (select from notices n where n.user_id = p.user_id and n.memory_id = m.id and n.kind = r.occasion
    and n.on_date >= $4::date - 2)`;

const NOTIFY = `
  insert into notices (user_id, memory_id, kind, count, on_date) values ($1, $2, $3, $4, $5)
  on conflict (user_id, memory_id, kind, on_date) where on_date is not null do nothing`;

// A date that was changed meanwhile has another due time already.
const RESCHEDULE = `
  update memory_reminders r set due_at = x.due_at
  from unnest($1::uuid[], $2::text[], $3::timestamptz[]) x (memory_id, occasion, due_at)
  where r.memory_id = x.memory_id and r.occasion = x.occasion and r.due_at = $4`;

/**
 * Reminds people of the dates that the owners of memories have chosen, between the morning and the end of that day in
 * each person's time zone. A reminder is created once a year, however many processes call this. A date without a known
 * day gets no reminder.
 */
export async function remind(db: Database, now: Date): Promise<void> {
  const until = new Date(now.getTime() + CLAIM_MS);
  for (let many = BATCH; many === BATCH; ) {
    const { rows: reminders } = await db.query<Reminder>(CLAIM, [now, until, BATCH]);
    many = reminders.length;
    if (many > 0) await remindOf(db, reminders, now, until);
  }
}

async function remindOf(db: Database, reminders: readonly Reminder[], now: Date, until: Date): Promise<void> {
  const checks = reminders.map((reminder) => ({ reminder, ...reminderCheckAt(reminder.date, now) }));
  const today = checks.flatMap(({ reminder, isToday }) => (isToday ? reminder : []));
  if (today.length > 0) {
    const { rows } = await db.query<Candidate>(PEOPLE, [
      today.map(({ memory_id }) => memory_id),
      today.map(({ occasion }) => occasion),
      today.map(({ date }) => date),
      now.toISOString().slice(0, 10),
    ]);
    for (const { memory_id, occasion, date, user_id, zone, paused_until } of rows) {
      const here = localTime(now, zone);
      const years = here.hour >= MORNING ? yearsToday(date, here) : undefined;
      if (years === undefined || (paused_until !== null && isoDay(here) < paused_until)) continue;
      await db.query(NOTIFY, [user_id, memory_id, occasion, years, isoDay(here)]);
    }
  }
  await db.query(RESCHEDULE, [
    reminders.map(({ memory_id }) => memory_id),
    reminders.map(({ occasion }) => occasion),
    checks.map(({ at }) => at?.toISOString() ?? "infinity"),
    until,
  ]);
}
