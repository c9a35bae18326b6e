import { type Database, queryWhileMoving } from "../database/database.ts";
import { CLAIM_SECONDS, renewing } from "./claims.ts";
import { type Answer, type Claim, deliver, type Gateways, type Writing } from "./outbox-delivery.ts";
import type { Job, Stop } from "./worker.ts";

/** Sends due messages, and each new one as it is enqueued. */
export const outboxJob = (deps: OutboxDeps): Job => ({
  name: "outbox",
  channel: "outbox",
  // For pruning, and for messages whose notification was lost.
  interval: 3_600_000,
  async run(stop) {
    await sendDue(deps, stop);
    await prune(deps);
    return nextDue(deps);
  },
});

const ATTEMPT_MS = 120_000;
/** The maximum number of parallel attempts in this process. */
const AT_ONCE = 4;
/** The retention of sent and failed messages, whose rows contain addresses. */
const KEPT_DAYS = 30;

export interface OutboxDeps extends Writing {
  db: Database;
  gateways: Gateways;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  /** Replaces the database's clock, which all processes share. */
  clock?: () => Date;
}

/** The kinds of messages that this process can send. The others wait for a gateway. */
const kindsOf = ({ gateways }: Pick<OutboxDeps, "gateways">) =>
  (["mail", "sms", "push"] as const).filter((kind) => gateways[kind] !== undefined);

/** The clock of all outbox statements: their first parameter. */
const NOW = "coalesce($1::timestamptz, now())";

/** Sends all due messages, some in parallel, until none is left or the worker stops. */
export async function sendDue(deps: OutboxDeps, { requested, overdue }: Stop): Promise<void> {
  const lane = async () => {
    while (!requested.aborted) {
      const claim = await claimNext(deps);
      if (!claim) return;
      await sendClaimed(deps, claim, overdue);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Milliseconds until the next message is due; undefined when none waits. */
async function nextDue({ db, gateways, clock }: OutboxDeps): Promise<number | undefined> {
  const { rows } = await db.query<{ wait: number | null }>(
    `select (extract(epoch from min(next_attempt_at) - ${NOW}) * 1000)::float8 as wait
     from private.outbox where state = 'waiting' and kind = any ($2::text[])`,
    [clock?.() ?? null, kindsOf({ gateways })],
  );
  return rows[0]?.wait ?? undefined;
}

/** Deletes the rows of old finished messages. */
export async function prune({ db, clock }: OutboxDeps): Promise<void> {
  await db.query(
    `delete from private.outbox where state <> 'waiting' and settled_at < ${NOW} - make_interval(days => $2)`,
    [clock?.() ?? null, KEPT_DAYS],
  );
}

/** Claims the message that has been due longest, for one process only. The claim of a killed process expires. */
async function claimNext({ db, gateways, clock }: OutboxDeps): Promise<Claim | undefined> {
  const { rows } = await db.query<Claim>(
    `with due as (
       select id from private.outbox where state = 'waiting' and next_attempt_at <= ${NOW} and kind = any ($3::text[])
       order by next_attempt_at limit 1 for update skip locked
     )
     update private.outbox o set attempts = o.attempts + 1, next_attempt_at = ${NOW} + make_interval(secs => $2)
     from due where o.id = due.id
     returning o.id, o.kind, o.template, o.language, o.recipient, o.bcc, o.props, o.attempts,
       coalesce(o.expires_at <= ${NOW}, false) as expired,
       (select s.time_zone from auth.users u join notice_settings s on s.user_id = u.id
        where lower(u.email) = lower(o.recipient) and not u.is_sso_user) as "timeZone"`,
    [clock?.() ?? null, CLAIM_SECONDS, kindsOf({ gateways })],
  );
  return rows[0];
}

/** Sends a message while renewing its claim. If renewing fails, the attempt is aborted before the claim expires. */
async function sendClaimed(deps: OutboxDeps, claim: Claim, overdue: AbortSignal): Promise<void> {
  const answer = await renewing(
    () => renew(deps, claim),
    async ({ lost, endangered }) => {
      const outcome = await attempt(deps, claim, AbortSignal.any([overdue, lost, endangered]));
      return lost.aborted ? undefined : outcome;
    },
  );
  if (answer) await settle(deps, claim, answer);
}

async function renew({ db, clock }: OutboxDeps, { id, attempts }: Claim): Promise<boolean> {
  // An expired claim is not renewed: another process may have read the message and be sending it.
  const { changed } = await db.query(
    `update private.outbox set next_attempt_at = ${NOW} + make_interval(secs => $4)
     where id = $2 and attempts = $3 and state = 'waiting' and next_attempt_at > ${NOW}`,
    [clock?.() ?? null, id, attempts, CLAIM_SECONDS],
  );
  return changed > 0;
}

async function attempt(
  { gateways, wishes, notices, pictures, pushes, log }: OutboxDeps,
  claim: Claim,
  stop: AbortSignal,
): Promise<Answer> {
  if (claim.expired) return { accepted: false, final: true, reason: "It expired before it could be sent" };
  // Attempts are counted when claimed, because a message that crashes its process would also crash the next one.
  if (claim.attempts > MOST_ATTEMPTS) return { accepted: false, final: true, reason: "Its attempts were interrupted" };
  try {
    return await deliver(
      { ...gateways, wishes, notices, pictures, pushes },
      claim,
      AbortSignal.any([stop, AbortSignal.timeout(ATTEMPT_MS)]),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ outbox: claim.id, template: claim.template, reason }, "A message could not be written");
    return { accepted: false, final: false, reason };
  }
}

/**
 * Spec §8: "Failed to send welcome email: …", "… memory invitation email: …", "… invitation email: …",
 * "… contact form email: …", and the same for every other email and text message.
 */
const failure = ({ kind, template, props }: Claim, reason: string) =>
  `Failed to send ${"sort" in props ? props.sort : template.replaceAll("-", " ")} ${kind === "mail" ? "email" : "message"}: ${reason}`;

async function settle({ db, log, clock }: OutboxDeps, claim: Claim, answer: Answer): Promise<void> {
  // `attempts` identifies the claim: an overtaken process must not write its successor's result.
  const mine = "where id = $2 and attempts = $3 and state = 'waiting'";
  const which = [clock?.() ?? null, claim.id, claim.attempts];
  if (answer.accepted) {
    // Deletes the one-time links in the props. Also runs while the installation is being moved; otherwise the new
    // installation would send the message again.
    await queryWhileMoving(
      db,
      `update private.outbox set state = $5, settled_at = ${NOW}, props = '{}', last_error = $4 ${mine}`,
      [...which, answer.note ?? null, answer.unwanted ? "skipped" : "sent"],
    );
    return;
  }
  const dead = answer.final || claim.attempts >= MOST_ATTEMPTS;
  await db.query(
    `update private.outbox set state = case when $4 then 'dead' else 'waiting' end,
       settled_at = case when $4 then ${NOW} end, next_attempt_at = ${NOW} + make_interval(secs => $5),
       last_error = $6, bcc = case when not $7 then bcc end ${mine}`,
    [
      ...which,
      dead,
      backoff(claim.attempts) / 1000,
      failure(claim, answer.reason).slice(0, 1000),
      answer.copied ?? false,
    ],
  );
  // The reason is stored only in the row, because it may quote the address.
  const fields = { outbox: claim.id, template: claim.template, attempts: claim.attempts };
  if (dead) log.error(fields, "A message was given up");
  else log.warn(fields, "A message was not accepted and will be tried again");
}

const MINUTE = 60_000;
const LONGEST = 12 * 60 * MINUTE;

/** The number of attempts, over about a day. */
export const MOST_ATTEMPTS = 12;

/**
 * Milliseconds to wait after the `attempts`th failure in a row: one minute, doubled each time, up to twelve hours.
 * `random` (0 to 1) subtracts up to a quarter, so that simultaneous failures are not retried together.
 */
export function backoff(attempts: number, random = Math.random()): number {
  const wait = Math.min(LONGEST, MINUTE * 2 ** (attempts - 1));
  return Math.round(wait * (1 - random / 4));
}
