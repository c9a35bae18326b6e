import type { Transaction } from "../../database/database.ts";

/** Time without use after which a device is signed out. */
const ABANDONED = "90 days";
/** Time after which an unconfirmed account is deleted, so that its address is free again. */
const UNCONFIRMED = "7 days";

/** Deletes expired rows. Several processes may run it at once: each statement is idempotent. */
export async function clearAway(db: Transaction): Promise<void> {
  // Used tokens stay for a day, so that a person who opens a link again reads that it was used.
  await db.query(
    `delete from auth.one_time_tokens
     where expires_at < now() and (token_hash not like 'used %' or expires_at < now() - interval '1 day')`,
  );
  await db.query("delete from auth.flow_state where created_at < now() - interval '1 day'");
  await db.query("delete from auth.oauth_client_states where created_at < now() - interval '1 day'");
  await db.query("delete from auth.mfa_challenges where expires_at < now()");
  await db.query("delete from auth.mfa_factors where status = 'unverified' and created_at < now() - interval '1 day'");
  await db.query("delete from auth.attempts where ends_at < now()");
  await db.query(
    `delete from auth.sessions
     where not_after < now() or coalesce(refreshed_at, created_at) < now() - interval '${ABANDONED}'`,
  );
  await db.query(
    `delete from auth.users
     where confirmed_at is null and last_sign_in_at is null and invited_at is null
       and greatest(created_at, confirmation_sent_at, recovery_sent_at) < now() - interval '${UNCONFIRMED}'
       and not is_sso_user`,
  );
}
