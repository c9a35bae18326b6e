import { statfs } from "node:fs/promises";
import { RequestError } from "../../shared/request-error.ts";
import { asCaller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import type { Settings } from "../settings/settings.ts";
import { SETTING_NAMES } from "../settings/settings.ts";
import type { Identify } from "../supabase/callers.ts";
import type { ServerFunction } from "./mount.ts";

/** Settings with visible values: neither secrets nor account names. Of other settings, only the presence is shown. */
const PLAIN = new Set([
  "NODE_ENV",
  "PORT",
  "HOST",
  "PUBLIC_URL",
  "DATA_DIR",
  "PROCESSORS",
  "LOG_LEVEL",
  "TRUST_PROXY",
  "SIGN_IN_LIMIT",
  "PASSWORD_HASH_MIB",
  "REQUEST_BUDGET",
  "SEND_EMAIL_LIMIT",
  "AUTH_MAIL_INTERVAL",
  "AUTH_CONFIRM_EMAIL",
  "AUTH_BOT_CHECK",
  "AUTH_REDIRECT_URLS",
  "STRIPE_AUTOMATIC_TAX",
  "MAIL_INFO",
  "MAIL_WELCOME_BCC",
  "READ_BACK_DAYS",
  "READ_BACK_GIB_PER_DAY",
]);

interface SystemDeps {
  db: Database;
  identify: Identify;
  settings: Settings;
  version: string;
}

/**
 * POST /functions/v1/desk-system: the process's version, its settings without secrets, its free disk space, and the
 * proxy of this request if `TRUST_PROXY` does not name it, for administrators. The other figures come from the database (`desk_system`).
 */
export const deskSystem = ({ db, identify, settings, version }: SystemDeps): ServerFunction => {
  const startedAt = new Date();
  return async (request, { untrustedProxy }) => {
    const caller = await identify({ authorization: request.headers.get("authorization") ?? undefined });
    if (caller.role === "anon") throw new RequestError("not_signed_in");
    const state = await asCaller(db, caller, async (tx) => {
      const { rows } = await tx.query<{ state: object }>("select desk_system() as state");
      return rows[0]?.state;
    });
    const disk = await statfs(settings.DATA_DIR);
    const given: Record<string, unknown> = settings;
    return Response.json(
      {
        ...state,
        version,
        node: process.version,
        started_at: startedAt,
        untrusted_proxy: untrustedProxy ?? null,
        disk: { bytes: disk.blocks * disk.bsize, free: disk.bavail * disk.bsize },
        settings: SETTING_NAMES.map((name) => {
          const value = given[name];
          const isSet = value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
          return { name, isSet, value: isSet && PLAIN.has(name) ? String(value) : null };
        }),
      },
      { headers: { "cache-control": "no-store" } },
    );
  };
};
