import type { Transaction } from "../../database/database.ts";

/** The recipient's language preferences: the account's choice, and the browser's header. */
export interface Reader {
  /** The language in the user's metadata, not validated. */
  chosen: unknown;
  /** An Accept-Language header. */
  accepted: string | undefined;
}

/** A link and a code with the same effect. Only one of them can be used, once. */
interface Once {
  url: string;
  code: string;
  minutes: number;
}

/** An email's template and data. The product writes its text. */
export type AuthMessage =
  | { template: "confirm-address"; props: Once & { name: string } }
  | { template: "magic-link"; props: Once }
  | { template: "recovery"; props: Once }
  | { template: "email-change-current"; props: Once & { newAddress: string } }
  | { template: "email-change-new"; props: Once & { newAddress: string } }
  | { template: "reauthentication"; props: { code: string; minutes: number } }
  | { template: "welcome"; props: { name: string } }
  | { template: "new-sign-in"; props: { device: string; at: string } }
  | { template: "password-changed"; props: { at: string } }
  | { template: "factor-added" | "factor-removed"; props: { at: string; factor: "totp" | "phone" } };

export interface Addressed {
  to: string;
  reader: Reader;
  /** The time after which the message should no longer be sent. */
  expiresAt?: Date;
}

/** The product's message queue. It enqueues a message when `tx` commits. */
export interface Messages {
  mail(tx: Transaction, email: AuthMessage & Addressed): Promise<void>;
  /** `to` consists of digits, without the plus. */
  sms(tx: Transaction, text: { props: { code: string; minutes: number } } & Addressed): Promise<void>;
}
