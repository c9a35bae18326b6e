import { statfs } from "node:fs/promises";
import { asCaller } from "../database/as-caller.ts";
import { SETTING_NAMES } from "../settings/settings.ts";
import { endpoint } from "./endpoint.ts";

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

/**
 * POST /functions/v1/desk-system: the process's version, its settings without secrets, its free disk space, and the
 * proxy of this request if `TRUST_PROXY` does not name it, for administrators. The other figures come from the database (`desk_system`).
 */
export const deskSystem = endpoint(
  { caller: "staff" },
  async ({ db, settings, version, startedAt, caller, untrustedProxy }) => {
    const state = await asCaller(db, caller, async (tx) => {
      const { rows } = await tx.query<{ state: object }>("select desk_system() as state");
      return rows[0]?.state;
    });
    const disk = await statfs(settings.DATA_DIR);
    const values: Record<string, unknown> = settings;
    return {
      ...state,
      version,
      node: process.version,
      started_at: startedAt,
      untrusted_proxy: untrustedProxy ?? null,
      disk: { bytes: disk.blocks * disk.bsize, free: disk.bavail * disk.bsize },
      settings: SETTING_NAMES.map((name) => {
        const value = values[name];
        const isSet = value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
        return { name, isSet, value: isSet && PLAIN.has(name) ? String(value) : null };
      }),
    };
  },
);
