import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../database/database.ts";
import type { Job } from "../worker.ts";
import { yearsToday } from "./due.ts";
import { isoDay, localTime, MORNING } from "./local-time.ts";
import { enqueueDueEmails } from "./mailing.ts";

/** The delay before a run, so that notices that arrive together are processed together. */
const TOGETHER_MS = 500;

/** Creates the reminders and enqueues the emails that are due at `now`. */
export async function tellPeople(db: Database, now: Date): Promise<void> {
  await remind(db, now);
  await enqueueDueEmails(db, now);
}

/** Creates reminders and enqueues emails, each minute and when notices arrive. */
export const noticesJob = ({ db }: { db: Database }): Job => ({
  name: "notices",
  channel: "notices",
  // Morning emails are punctual to the minute.
  interval: 60_000,
  async run({ requested }) {
    await delay(TOGETHER_MS, undefined, { ref: false, signal: requested }).catch(() => {});
    if (!requested.aborted) await tellPeople(db, new Date());
    return undefined;
  },
});

interface Candidate {
  memory_id: string;
  occasion: "birthday" | "passing" | "event";
  date: string;
  user_id: string;
  zone: string;
  paused_until: string | null;
}

const DAY_MS = 86_400_000;

/** Returns today's dates around the world, e.g. `02-28`. The 28th of February includes the 29th. */
function daysAround(now: Date): string[] {
  const days = [-1, 0, 1].map((ahead) => new Date(now.getTime() + ahead * DAY_MS).toISOString().slice(5, 10));
  return days.includes("02-28") ? [...days, "02-29"] : days;
}

/**
 * Reminds people of the dates that the owners of memories have chosen, between the morning and the end of that day in
 * each person's time zone. A reminder is created once a year, however many processes call this. A date without a known
 * day gets no reminder.
 */
async function remind(db: Database, now: Date): Promise<void> {
  const { rows } = await db.query<Candidate>(
    `select r.memory_id, r.occasion, d.date, p.user_id, coalesce(s.time_zone, 'UTC') as zone,
       greatest(s.paused_until, w.paused_until) as paused_until
     from memory_reminders r join memories m on m.id = r.memory_id and not m.draft
     cross join lateral (select case r.occasion when 'birthday' then m.birth_date when 'passing' then m.passing_date
       else m.event_date end as date) d
     cross join lateral private.people_of(m.id) p (user_id)
     left join notice_settings s on s.user_id = p.user_id
     left join notice_preferences w on w.user_id = p.user_id and w.memory_id = m.id
     where d.date ~ '^\\d{4}-\\d\\d-\\d\\d$' and substr(d.date, 6) = any ($1)
       and not exists (select from notices n where n.user_id = p.user_id and n.memory_id = m.id and n.kind = r.occasion
         and n.on_date >= $2::date - 2)`,
    [daysAround(now), now.toISOString().slice(0, 10)],
  );
  for (const { memory_id, occasion, date, user_id, zone, paused_until } of rows) {
    const here = localTime(now, zone);
    const years = here.hour >= MORNING ? yearsToday(date, here) : undefined;
    if (years === undefined || (paused_until !== null && isoDay(here) < paused_until)) continue;
    await db.query(
      `insert into notices (user_id, memory_id, kind, count, on_date) values ($1, $2, $3, $4, $5)
       on conflict (user_id, memory_id, kind, on_date) where on_date is not null do nothing`,
      [user_id, memory_id, occasion, years, isoDay(here)],
    );
  }
}
