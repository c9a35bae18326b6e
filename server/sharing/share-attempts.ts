import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { RetryLaterError } from "../../shared/request-error.ts";
import { type Database, queryWhileMoving } from "../database/database.ts";

/** The result of requesting an attempt at a PIN. */
export interface ShareTry {
  /** False while the link or the address is locked: nothing was counted, and the PIN must not be checked. */
  allowed: boolean;
  triesLeft: number;
  lockedUntil: Date | null;
  /** Milliseconds until then, by the database's clock; 0 without a lock. */
  lockedFor: number;
  /** Undoes the count of a successful attempt. */
  refund(): Promise<void>;
}

/** The error for a locked link or address. */
export function lockedRefusal(
  { lockedUntil, lockedFor }: ShareTry,
  message: string,
  details?: Record<string, unknown>,
) {
  return new RetryLaterError("locked", lockedFor / 1000, {
    message,
    details: {
      lockedUntil: lockedUntil?.toISOString() ?? null,
      ...details,
    },
  });
}

/** Counts attempts at secrets by target and address in the database, with the database's clock. */
export interface AttemptLimiter {
  /**
   * Counts an attempt before it is checked. `target` is a share id or a card's code. A `device` that was admitted to the
   * link before has an allowance of its own, which comes first.
   */
  begin(target: string, address: string, device?: string): Promise<ShareTry>;
  /** Whether the address is locked after wrong attempts. Counts nothing. */
  isLocked(address: string): Promise<boolean>;
}

/** The result of an attempt. The clocks of the database and of this process differ. */
const RESULT = `allowed, tries_left, locked_until,
  greatest(0, coalesce(extract(epoch from locked_until - clock_timestamp()), 0))::float8 * 1000 as locked_for`;
const SQL = {
  share: {
    begin: `select ${RESULT} from private.begin_share_attempt($1, $2)`,
    refund: "select private.refund_share_attempt($1, $2)",
  },
  device: {
    begin: `select ${RESULT} from private.begin_device_attempt($1, $2)`,
    refund: "select private.refund_device_attempt($1, $2)",
  },
};

/**
 * Counts attempts of one kind. Each kind has its own allowance of an address, so that wrong codes of cards do not use up
 * its PINs. Addresses are stored only as hashes that are keyed with `secret`.
 */
export function attemptLimiter(
  db: Database,
  secret: Uint8Array,
  kind: "PIN" | "card" | "activation code" = "PIN",
): AttemptLimiter {
  const prefix = kind === "PIN" ? "" : `${kind} `;
  const keyOf = (address: string) =>
    createHmac("sha256", secret)
      .update(`${prefix}address ${networkOf(address)}`)
      .digest("base64url");

  /** Counts an attempt; undefined if the device's allowance is used up. */
  async function begin(by: keyof typeof SQL, target: string, key: string): Promise<ShareTry | undefined> {
    const { rows } = await queryWhileMoving<{
      allowed: boolean;
      tries_left: number;
      locked_until: Date | null;
      locked_for: number;
    }>(db, SQL[by].begin, [target, key]);
    const [row] = rows;
    return (
      row && {
        allowed: row.allowed,
        triesLeft: row.tries_left,
        lockedUntil: row.locked_until,
        lockedFor: row.locked_for,
        async refund() {
          await queryWhileMoving(db, SQL[by].refund, [target, key]);
        },
      }
    );
  }

  return {
    async begin(target, address, device) {
      const own = device === undefined ? undefined : await begin("device", target, device);
      if (own) return own;
      const attempt = await begin("share", target, keyOf(address));
      if (!attempt) throw new Error("private.begin_share_attempt gave no row");
      return attempt;
    },
    async isLocked(address) {
      const { rows } = await db.query(
        "select from private.share_attempts where key = $1 and locked_until > clock_timestamp()",
        [`address:${keyOf(address)}`],
      );
      return rows.length > 0;
    },
  };
}

/**
 * The rate-limit key of an address. IPv4 stays unchanged, also if mapped to IPv6. IPv6 is cut to its first 64 bits,
 * because one household or rented server controls all addresses with the same prefix.
 */
export function networkOf(address: string): string {
  const bare = address.split("%")[0] ?? address;
  if (!isIPv6(bare)) return bare;
  // The URL parser normalises all spellings of an address; an IPv4 ending becomes hexadecimal.
  const [head = "", tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split("::");
  const groups = head ? head.split(":") : [];
  const after = tail ? tail.split(":") : [];
  const all = tail === undefined ? groups : [...groups, ...Array(8 - groups.length - after.length).fill("0"), ...after];
  if (all.slice(0, 6).join(":") === "0:0:0:0:0:ffff") {
    return all
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join(".");
  }
  return `${all.slice(0, 4).join(":")}::/64`;
}
