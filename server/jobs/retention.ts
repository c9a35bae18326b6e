import type { Database } from "../database/database.ts";
import { clearAway } from "../supabase/auth/retention.ts";
import { openSigningKeys } from "../supabase/signing-keys.ts";
import type { Job } from "./worker.ts";

const HOUR_MS = 3_600_000;
/** How long one key signs, in seconds. */
const KEY_LIFE = 90 * 86_400;

/** Forgets what nobody needs to know any more. */
export const retentionJob = ({ db }: { db: Database }): Job => ({
  name: "retention",
  interval: HOUR_MS,
  async run() {
    await db.query("delete from share_openings where opened_at < now() - interval '180 days'");
    await db.query("delete from notices where created_at < now() - interval '180 days'");
    await clearAway(db);
    return undefined;
  },
});

/** Signs with a new key where the present one, sealed under `sealingSecret`, has signed long enough. */
export const keyRotationJob = ({ db, sealingSecret }: { db: Database; sealingSecret: Uint8Array }): Job => ({
  name: "key-rotation",
  interval: HOUR_MS,
  async run() {
    const keys = await openSigningKeys(db, sealingSecret);
    await keys.rotate(KEY_LIFE);
    return undefined;
  },
});
