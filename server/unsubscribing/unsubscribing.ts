import { createHmac, timingSafeEqual } from "node:crypto";
import { addressIn } from "../../shared/unsubscribe.ts";
import type { Database, Transaction } from "../database/database.ts";

/** Whether addresses want letters that other people cause, and the links by which they end them without signing in. */
export interface Unsubscribing {
  /** Where a mail program posts its one click (RFC 8058); followed by a person it leads to {@link page}. */
  endpoint(address: string): string;
  /** The page that a letter's own link opens. */
  page(address: string): string;
  /** The address of a genuine token; undefined for any other text. */
  addressOf(token: string): string | undefined;
  isUnsubscribed(address: string): Promise<boolean>;
  set(address: string, unsubscribed: boolean): Promise<void>;
}

/** Tokens name their address and are good for ever, as letters are kept for ever: all they do is end mail, or let it come. */
export function unsubscribing(deps: { db: Database; secret: Uint8Array; publicUrl: string }): Unsubscribing {
  const { db, secret, publicUrl } = deps;
  const signature = (address: string) => createHmac("sha256", secret).update(address).digest();
  const tokenOf = (address: string) => {
    const known = address.toLowerCase();
    return `${Buffer.from(known).toString("hex")}.${signature(known).toString("base64url")}`;
  };
  return {
    endpoint: (address) => `${publicUrl}/functions/v1/unsubscribe?token=${tokenOf(address)}`,
    page: (address) => `${publicUrl}/unsubscribe?token=${tokenOf(address)}`,
    addressOf(token) {
      const address = addressIn(token);
      if (address === undefined) return undefined;
      const [given, right] = [Buffer.from(token.split(".")[1] ?? "", "base64url"), signature(address)];
      return given.length === right.length && timingSafeEqual(given, right) ? address : undefined;
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

/** Whether an address has said that it wants no letters that other people cause. */
export async function isUnsubscribed(db: Pick<Transaction, "query">, address: string): Promise<boolean> {
  const { rows } = await db.query("select from email_preferences where email = $1 and unsubscribed", [
    address.toLowerCase(),
  ]);
  return rows.length > 0;
}
