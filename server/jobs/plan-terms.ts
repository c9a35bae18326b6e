import { isMailable } from "../../shared/credentials.ts";
import type { Database } from "../database/database.ts";
import { languageOf } from "../emails/language.ts";
import { enqueueMail } from "./outbox.ts";
import type { Job } from "./worker.ts";

interface Ending {
  email: string;
  chosen: string | null;
  bought_in: string | null;
  name: string;
  ends_at: Date;
  days: 30 | 7;
  /** Identifies the email, so that it is enqueued once. */
  key: string;
}

/**
 * Enqueues two emails to everybody whose last plan ends: within 30 days of `now`, and within 7. Each is sent once,
 * however many processes run this. After a long outage only the second one is sent.
 */
export async function remindOfEndings(db: Database, site: string, now: Date): Promise<void> {
  const { rows } = await db.query<Ending>(
    `with held as (
       select user_id, max(expires_at) as ends_at, min(starts_at) as starts_at from user_subscriptions
       where status in ('active', 'waiting') and expires_at > $1 group by user_id
     ), near as (
       select *, 'plan-ending:' || user_id || ':' || days || ':' || ends_at::date as key from held,
         lateral (select case when ends_at <= $1::timestamptz + interval '7 days' then 7 else 30 end as days) counted
       where ends_at <= $1::timestamptz + interval '30 days'
     )
     select n.user_id, u.email, u.raw_user_meta_data ->> 'language' as chosen, n.ends_at, n.days, n.key,
       (select o.language from orders o where o.user_id = n.user_id order by o.created_at desc limit 1) as bought_in,
       (select s.name from user_subscriptions s where s.user_id = n.user_id and s.expires_at = n.ends_at
         and s.status in ('active', 'waiting') limit 1) as name
     from near n join auth.users u on u.id = n.user_id
     -- Whoever got it for a shorter time than that knows already.
     where u.email is not null and n.ends_at - n.starts_at > make_interval(days => n.days)
       and not exists (select from private.outbox o where o.dedupe_key = n.key)`,
    [now],
  );
  for (const { email, chosen, bought_in, name, ends_at, days, key } of rows.filter((row) => isMailable(row.email))) {
    await db.transaction((tx) =>
      enqueueMail(tx, {
        template: "plan-ending",
        language: languageOf(chosen ?? bought_in, undefined),
        to: email,
        props: { plan: name, endsAt: ends_at.toISOString(), days, url: `${site}/subscribe` },
        dedupeKey: key,
        expiresAt: ends_at,
      }),
    );
  }
}

/** Activates plans that begin, and enqueues emails about plans that end. */
export const planTermsJob = ({ db, site }: { db: Database; site: string }): Job => ({
  name: "plan-terms",
  interval: 600_000,
  async run() {
    await db.query("select private.begin_waiting_subscriptions()");
    await remindOfEndings(db, site, new Date());
    return undefined;
  },
});
