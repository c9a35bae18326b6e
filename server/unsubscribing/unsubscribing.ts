import { createHmac, timingSafeEqual } from "node:crypto";
import { addressIn } from "../../shared/unsubscribe.ts";
import type { Database, Transaction } from "../database/database.ts";
import type { Keyring } from "../supabase/sealed.ts";

/**
 * Email preferences of addresses: whether they get emails that other people cause, and links to stop these without
 * signing in.
 */
export interface Unsubscribing {
  /** The URL for a mail program's one-click POST (RFC 8058). A GET redirects to {@link page}. */
  endpoint(address: string): string;
  /** The URL of the page that the link in an email opens. */
  page(address: string): string;
  /** The address of a genuine token; undefined for any other text. */
  addressOf(token: string): string | undefined;
  isUnsubscribed(address: string): Promise<boolean>;
  set(address: string, unsubscribed: boolean): Promise<void>;
}

/**
 * Tokens contain their address and never expire, because emails are kept for ever. They can only stop or resume emails.
 */
export function unsubscribing(deps: { db: Database; secrets: Keyring; publicUrl: string }): Unsubscribing {
  const { db, secrets, publicUrl } = deps;
  const signature = (address: string, secret = secrets[0]) => createHmac("sha256", secret).update(address).digest();
  const tokenOf = (address: string) => {
    const normalAddress = address.toLowerCase();
    return `${Buffer.from(normalAddress).toString("hex")}.${signature(normalAddress).toString("base64url")}`;
  };
  return {
    endpoint: (address) => `${publicUrl}/functions/v1/unsubscribe?token=${tokenOf(address)}`,
    page: (address) => `${publicUrl}/unsubscribe?token=${tokenOf(address)}`,
    addressOf(token) {
      const address = addressIn(token);
      if (address === undefined) return undefined;
      const addressBytes = Buffer.from(token.split(".")[1] ?? "", "base64url");
      const isGenuine = secrets.some((secret) => {
        const right = signature(address, secret);
        return addressBytes.length === right.length && timingSafeEqual(addressBytes, right);
      });
      return isGenuine ? address : undefined;
    },
    isUnsubscribed: (address) => isUnsubscribed(db, address),
    async set(address, unsubscribed) {
      await db.query(
        `insert into email_preferences (email, unsubscribed) values ($1, $2)
         on conflict (email) do update set unsubscribed = excluded.unsubscribed`,
        [address, unsubscribed],
      );
    },
  };
}

/** Whether an address has unsubscribed from emails that other people cause. */
export async function isUnsubscribed(db: Pick<Transaction, "query">, address: string): Promise<boolean> {
  const { rows } = await db.query("select from email_preferences where email = $1 and unsubscribed", [
    address.toLowerCase(),
  ]);
  return rows.length > 0;
}

/** The emails to a person about one memory; with null, about all memories. */
interface NoticeEmails {
  person: string;
  memory: string | null;
}

/** Links that stop emails about notices without signing in. */
export interface StoppingNotices {
  /** The URL for a mail program's one-click POST (RFC 8058). A GET redirects to {@link page}. */
  endpoint(emails: NoticeEmails): string;
  page(emails: NoticeEmails): string;
  /** The emails that a genuine token names; undefined for any other text. */
  read(token: string): NoticeEmails | undefined;
  set(emails: NoticeEmails, stopped: boolean): Promise<void>;
}

const TOKEN = /^([0-9a-f-]{36})\.([0-9a-f-]{36}|all)\.([\w-]{43})$/;

/** Tokens never expire, because emails are kept for ever. They can only stop or resume emails. */
export function stoppingNotices(deps: { db: Database; secrets: Keyring; publicUrl: string }): StoppingNotices {
  const { db, secrets, publicUrl } = deps;
  const signature = (what: string, secret = secrets[0]) =>
    createHmac("sha256", secret).update(`notices ${what}`).digest("base64url");
  const tokenOf = ({ person, memory }: NoticeEmails) => {
    const what = `${person}.${memory ?? "all"}`;
    return `${what}.${signature(what)}`;
  };
  return {
    endpoint: (emails) => `${publicUrl}/functions/v1/stop-notices?token=${tokenOf(emails)}`,
    page: (emails) => `${publicUrl}/notices/stop?token=${tokenOf(emails)}`,
    read(token) {
      const [, person, memory, signaturePart = ""] = TOKEN.exec(token) ?? [];
      if (person === undefined || memory === undefined) return undefined;
      const isGenuine = secrets.some((secret) =>
        timingSafeEqual(Buffer.from(signaturePart), Buffer.from(signature(`${person}.${memory}`, secret))),
      );
      if (!isGenuine) return undefined;
      return { person, memory: memory === "all" ? null : memory };
    },
    async set({ person, memory }, stopped) {
      const mail = stopped ? "never" : null;
      if (memory !== null) {
        // Inserts nothing if the memory or the person has been deleted.
        await db.query(
          `insert into notice_preferences (user_id, memory_id, mail) select u.id, m.id, $3 from auth.users u, memories m
           where u.id = $1 and m.id = $2 on conflict (user_id, memory_id) do update set mail = excluded.mail`,
          [person, memory, mail],
        );
        return;
      }
      await db.transaction(async (tx) => {
        await tx.query(
          `insert into notice_settings (user_id, mail) select u.id, $2 from auth.users u where u.id = $1
           on conflict (user_id) do update set mail = excluded.mail`,
          [person, mail],
        );
        // Settings of single memories take precedence over the general one, so they are reset.
        if (stopped) await tx.query("update notice_preferences set mail = null where user_id = $1", [person]);
      });
    },
  };
}
