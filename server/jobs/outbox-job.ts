import { type Database, queryWhileMoving } from "../database/database.ts";
import { CLAIM_SECONDS, renewing } from "./claims.ts";
import { type Answer, type Claim, deliver, type Gateways, type Writing } from "./outbox-delivery.ts";
import type { Job, Stop } from "./worker.ts";

/** Sends what waits now, what comes due, and each new message as it is enqueued. */
export const outboxJob = (deps: OutboxDeps): Job => ({
  name: "outbox",
  channel: "outbox",
  // The longest it sleeps: it prunes as often, and finds what a lost notification was about.
  interval: 3_600_000,
  async run(stop) {
    await sendDue(deps, stop);
    await prune(deps);
    return nextDue(deps);
  },
});

const ATTEMPT_MS = 120_000;
/** Attempts at a time in this process. */
const AT_ONCE = 4;
/** What was sent or given up is kept so long for those who ask after it, then goes with the address in it. */
const KEPT_DAYS = 30;

export interface OutboxDeps extends Writing {
  db: Database;
  gateways: Gateways;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  /** Instead of the database's clock, which is the same for all processes. */
  clock?: () => Date;
}

/** The time all statements of the outbox go by: their first parameter. */
const NOW = "coalesce($1::timestamptz, now())";

/** Sends everything that is due, some at a time, until nothing is or the worker stops. */
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
async function nextDue({ db, clock }: OutboxDeps): Promise<number | undefined> {
  const { rows } = await db.query<{ wait: number | null }>(
    `select (extract(epoch from min(next_attempt_at) - ${NOW}) * 1000)::float8 as wait
     from private.outbox where state = 'waiting'`,
    [clock?.() ?? null],
  );
  return rows[0]?.wait ?? undefined;
}

/** Takes the rows of what was settled long ago. */
export async function prune({ db, clock }: OutboxDeps): Promise<void> {
  await db.query(
    `delete from private.outbox where state <> 'waiting' and settled_at < ${NOW} - make_interval(days => $2)`,
    [clock?.() ?? null, KEPT_DAYS],
  );
}

/** Claims the message that is due longest. Two processes never hold the same one; one that dies lets go when the claim ends. */
async function claimNext({ db, clock }: OutboxDeps): Promise<Claim | undefined> {
  const { rows } = await db.query<Claim>(
    `with due as (
       select id from private.outbox where state = 'waiting' and next_attempt_at <= ${NOW}
       order by next_attempt_at limit 1 for update skip locked
     )
     update private.outbox o set attempts = o.attempts + 1, next_attempt_at = ${NOW} + make_interval(secs => $2)
     from due where o.id = due.id
     returning o.id, o.kind, o.template, o.language, o.recipient, o.bcc, o.props, o.attempts,
       coalesce(o.expires_at <= ${NOW}, false) as expired`,
    [clock?.() ?? null, CLAIM_SECONDS],
  );
  return rows[0];
}

/** Holds a claim for as long as its attempt takes. Where that fails, the attempt is broken off before another begins. */
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
  // One that has ended is not taken up again: somebody may have claimed it, and read that the email is theirs to send.
  const { changed } = await db.query(
    `update private.outbox set next_attempt_at = ${NOW} + make_interval(secs => $4)
     where id = $2 and attempts = $3 and state = 'waiting' and next_attempt_at > ${NOW}`,
    [clock?.() ?? null, id, attempts, CLAIM_SECONDS],
  );
  return changed > 0;
}

async function attempt(
  { gateways, wishes, notices, pictures, log }: OutboxDeps,
  claim: Claim,
  stop: AbortSignal,
): Promise<Answer> {
  if (claim.expired) return { accepted: false, final: true, reason: "It expired before it could be sent" };
  // Counted when claimed: one that ends its process would end the next one too.
  if (claim.attempts > MOST_ATTEMPTS) return { accepted: false, final: true, reason: "Its attempts were interrupted" };
  try {
    return await deliver(
      { ...gateways, wishes, notices, pictures },
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
 * Spec §8: "Failed to send welcome email: …", "… memory invitation email: …", "… invitation email: …", "… contact form email: …",
 * and so for every other email and text message.
 */
const failure = ({ kind, template, props }: Claim, reason: string) =>
  `Failed to send ${"sort" in props ? props.sort : template.replaceAll("-", " ")} ${kind === "mail" ? "email" : "message"}: ${reason}`;

async function settle({ db, log, clock }: OutboxDeps, claim: Claim, answer: Answer): Promise<void> {
  // `attempts` names the claim: one that was overtaken must not settle its successor's work.
  const mine = "where id = $2 and attempts = $3 and state = 'waiting'";
  const which = [clock?.() ?? null, claim.id, claim.attempts];
  if (answer.accepted) {
    // Its one-time links are nobody's business any more.
    // Also while the installation is being moved: the new one would send it again.
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
  // Without the reason, which may quote the address: it is in the row.
  const fields = { outbox: claim.id, template: claim.template, attempts: claim.attempts };
  if (dead) log.error(fields, "A message was given up");
  else log.warn(fields, "A message was not accepted and will be tried again");
}

const MINUTE = 60_000;
const LONGEST = 12 * 60 * MINUTE;

/** How often a message is tried, about a day and a half in all, before it is given up. */
export const MOST_ATTEMPTS = 12;

/**
 * How many milliseconds to wait after the `attempts`th failure in a row: one minute, doubled each time, up to twelve
 * hours. `random` (0 to 1) takes up to a quarter off, so that what failed together is not tried again together.
 */
export function backoff(attempts: number, random = Math.random()): number {
  const wait = Math.min(LONGEST, MINUTE * 2 ** (attempts - 1));
  return Math.round(wait * (1 - random / 4));
}
