import type { RawData } from "ws";

/** JSON text that is inserted unchanged. */
export class Written {
  constructor(readonly text: string) {}
}

/** One message of Phoenix channels, in either direction. */
export interface Message {
  /** The join that the message belongs to. */
  joinRef: string | null;
  /** Identifies the message in its reply. */
  ref: string | null;
  topic: string;
  event: string;
  /** A JSON value or {@link Written}. */
  payload: unknown;
}

/** The protocol version. Messages are objects in 1.0.0, and arrays of five in 2.0.0. */
export type Version = "1.0.0" | "2.0.0";

export const isVersion = (text: unknown): text is Version => text === "1.0.0" || text === "2.0.0";

/** Parses a client's message; undefined if it is malformed. */
export function decode(version: Version, data: RawData, binary: boolean): Message | undefined {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
  if (binary) return version === "2.0.0" ? decodePush(bytes) : undefined;
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
  if (version === "2.0.0") {
    if (!Array.isArray(json) || json.length !== 5) return undefined;
    const [joinRef, ref, topic, event, payload] = json as unknown[];
    return message(joinRef, ref, topic, event, payload);
  }
  if (typeof json !== "object" || json === null) return undefined;
  const { join_ref, ref, topic, event, payload } = json as Record<string, unknown>;
  return message(join_ref, ref, topic, event, payload);
}

export function encode(version: Version, message: Message): string {
  const [joinRef, ref, topic, event] = [message.joinRef, message.ref, message.topic, message.event].map((part) =>
    JSON.stringify(part),
  );
  const payload = message.payload instanceof Written ? message.payload.text : JSON.stringify(message.payload);
  return version === "2.0.0"
    ? `[${joinRef},${ref},${topic},${event},${payload}]`
    : `{"topic":${topic},"event":${event},"payload":${payload},"ref":${ref},"join_ref":${joinRef}}`;
}

const reference = (value: unknown): string | null | undefined =>
  value === null || value === undefined ? null : typeof value === "string" ? value : undefined;

function message(...[joinRef, ref, topic, event, payload]: unknown[]): Message | undefined {
  const [join, own] = [reference(joinRef), reference(ref)];
  if (join === undefined || own === undefined || typeof topic !== "string" || typeof event !== "string")
    return undefined;
  return { joinRef: join, ref: own, topic, event, payload };
}

const USER_BROADCAST_PUSH = 3;

/** Parses a broadcast, a binary frame in 2.0.0: kind, five lengths, an encoding, the five texts and the payload. */
function decodePush(bytes: Buffer): Message | undefined {
  if (bytes.length < 7 || bytes[0] !== USER_BROADCAST_PUSH) return undefined;
  let at = 7;
  const texts = [...bytes.subarray(1, 6)].map((length) => {
    const text = bytes.toString("utf8", at, at + length);
    at += length;
    return text;
  });
  if (at > bytes.length) return undefined;
  const [joinRef = "", ref = "", topic = ""] = texts;
  return { joinRef: joinRef || null, ref: ref || null, topic, event: "broadcast", payload: undefined };
}
