import { randomUUID } from "node:crypto";

/** A received email or text message. */
export interface Message {
  id: string;
  kind: "mail" | "sms";
  /** ISO 8601. */
  receivedAt: string;
  from: string;
  /** All recipients, including hidden ones. */
  recipients: string[];
  /** The recipients that the message's headers do not name. */
  hidden: string[];
  subject: string;
  text: string;
  html?: string;
  /** The headers by lower-case name; for a text message, the fields of the API request. */
  headers: Record<string, string>;
}

/** The last few hundred messages, in memory. */
export interface Messages {
  add(message: Omit<Message, "id" | "receivedAt">): Message;
  /** Newest first; with `to`, only those delivered to this recipient. */
  list(to?: string): Message[];
  get(id: string): Message | undefined;
  clear(): void;
  /** A number that changes when messages are added or deleted. */
  version(): number;
}

const MOST = 300;

export function messages(): Messages {
  let all: Message[] = [];
  let version = 0;
  return {
    add(message) {
      const received = { ...message, id: randomUUID(), receivedAt: new Date().toISOString() };
      all = [received, ...all].slice(0, MOST);
      version += 1;
      return received;
    },
    list: (to) => (to === undefined ? all : all.filter(({ recipients }) => recipients.some((one) => same(one, to)))),
    get: (id) => all.find((message) => message.id === id),
    clear() {
      all = [];
      version += 1;
    },
    version: () => version,
  };
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
