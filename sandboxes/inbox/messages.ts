import { randomUUID } from "node:crypto";

/** One message as it arrived. */
export interface Message {
  id: string;
  kind: "mail" | "sms";
  /** ISO 8601. */
  receivedAt: string;
  from: string;
  /** Everybody it was delivered to, those it does not name included. */
  recipients: string[];
  /** Those of them whom it does not name. */
  hidden: string[];
  subject: string;
  text: string;
  html?: string;
  /** By name in small letters; for a text message, the fields of the call. */
  headers: Record<string, string>;
}

/** The last few hundred messages, in memory. */
export interface Messages {
  add(message: Omit<Message, "id" | "receivedAt">): Message;
  /** Newest first; only those delivered to `to`, where given. */
  list(to?: string): Message[];
  get(id: string): Message | undefined;
  clear(): void;
  /** Changes whenever a message comes or goes. */
  version(): number;
}

const MOST = 300;

export function messages(): Messages {
  let kept: Message[] = [];
  let version = 0;
  return {
    add(message) {
      const received = { ...message, id: randomUUID(), receivedAt: new Date().toISOString() };
      kept = [received, ...kept].slice(0, MOST);
      version += 1;
      return received;
    },
    list: (to) => (to === undefined ? kept : kept.filter(({ recipients }) => recipients.some((one) => same(one, to)))),
    get: (id) => kept.find((message) => message.id === id),
    clear() {
      kept = [];
      version += 1;
    },
    version: () => version,
  };
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
