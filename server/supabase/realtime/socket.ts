import { AsyncResource } from "node:async_hooks";
import type { Writable } from "node:stream";
import type { WebSocket } from "ws";
import { RetryLaterError } from "../../../shared/request-error.ts";
import type { Caller } from "../../database/as-caller.ts";
import { type Channel, joinChannel, refusedMessage } from "./channel.ts";
import { type Hub, JoinRefusedError } from "./grant.ts";
import {
  CHANNELS_PER_SOCKET,
  JOIN_RATE,
  MESSAGE_RATE,
  rateLimit,
  type SocketBudget,
  UNANSWERED_MESSAGES,
} from "./limits.ts";
import { decode, encode, type Message, type Version } from "./messages.ts";

interface Connection {
  version: Version;
  wire: Writable;
  /** The caller of the connection's key. A channel's token may identify another caller. */
  caller: Caller;
  /** Limits the subscriptions of its channels. */
  budget: SocketBudget;
  /** Resolves when a join may begin, to the function that ends its turn. */
  takeTurn(): Promise<() => void>;
  failed(error: unknown): void;
}

/** Upper limit of unacknowledged bytes. A client this far behind has to reconnect. */
const UNREAD_BYTES = 4 * 1024 * 1024;
/** Time in ms without a message after which a socket is closed. Clients send a heartbeat every 25 s. */
const SILENCE_MS = 60_000;
/** The time limit in ms for a disconnected client to close its end. */
const CUT_OFF_MS = 1000;
const TOPIC = /^realtime:.{1,246}$/s;

/** Serves Phoenix channels on one socket until either side closes it. */
export function serveSocket(
  hub: Hub,
  ws: WebSocket,
  { version, wire, caller, budget, takeTurn, failed }: Connection,
): void {
  const channels = new Map<string, { joinRef: string | null; channel: Channel }>();
  const silence = setTimeout(() => ws.close(1000, "heartbeat timeout"), SILENCE_MS).unref();
  const mayJoin = rateLimit(JOIN_RATE);
  const maySend = rateLimit(MESSAGE_RATE);
  let unanswered = 0;
  let turn = Promise.resolve();

  const send = (message: Message) => {
    if (ws.readyState !== ws.OPEN) return;
    if (ws.bufferedAmount > UNREAD_BYTES) return ws.terminate();
    ws.send(encode(version, message));
  };
  const reply = ({ joinRef, ref, topic }: Message, status: "ok" | "error", response: object) =>
    send({ joinRef, ref, topic, event: "phx_reply", payload: { status, response } });
  const close = (topic: string, joinRef: string | null) =>
    send({ joinRef, ref: joinRef, topic, event: "phx_close", payload: {} });

  const cutOff = (code: number, reason: string) => {
    ws.close(code, reason);
    setTimeout(() => ws.terminate(), CUT_OFF_MS).unref();
  };
  const tooManyMessages = () => {
    for (const [topic, { joinRef }] of channels) {
      const payload = {
        extension: "system",
        status: "error",
        message: "Too many messages per second",
        channel: topic.slice("realtime:".length),
      };
      send({ joinRef, ref: null, topic, event: "system", payload });
      leave(topic);
    }
    cutOff(1008, "too many messages per second");
  };

  const leave = (topic: string) => {
    const joined = channels.get(topic);
    if (!joined) return;
    channels.delete(topic);
    joined.channel.leave();
    close(topic, joined.joinRef);
  };

  const join = async (message: Message) => {
    const { topic, joinRef, payload } = message;
    // A client that joins again no longer knows its earlier channel.
    leave(topic);
    if (!TOPIC.test(topic)) return reply(message, "error", { reason: "unmatched topic" });
    if (!mayJoin() || !budget.mayJoin()) {
      return reply(message, "error", { reason: "ClientJoinRateLimitReached: Too many joins per second" });
    }
    if (channels.size >= CHANNELS_PER_SOCKET) {
      return reply(message, "error", { reason: "ChannelRateLimitReached: Too many channels" });
    }
    const endTurn = await takeTurn();
    try {
      const channel = await joinChannel(hub, budget, topic, payload, caller, {
        push: (event, ...payloads) => {
          // One system call for all payloads, because the call costs more than their content.
          wire.cork();
          for (const payload of payloads) send({ joinRef, ref: null, topic, event, payload });
          wire.uncork();
        },
        ended: () => {
          channels.delete(topic);
          close(topic, joinRef);
        },
      });
      if (ws.readyState !== ws.OPEN) return channel.leave();
      channels.set(topic, { joinRef, channel });
      reply(message, "ok", channel.welcome);
      channel.start();
    } catch (error) {
      const reason =
        error instanceof JoinRefusedError ? error.reason : error instanceof RetryLaterError ? error.message : undefined;
      if (reason === undefined) failed(error);
      reply(message, "error", { reason: reason ?? "Unknown Error on Channel" });
    } finally {
      endTurn();
    }
  };

  const answer = async (message: Message) => {
    const { topic, event, payload } = message;
    if (topic === "phoenix") return event === "heartbeat" ? reply(message, "ok", {}) : undefined;
    if (event === "phx_join") return join(message);
    const joined = channels.get(topic);
    if (!joined) return reply(message, "error", { reason: "unmatched topic" });
    if (event === "phx_leave") {
      reply(message, "ok", {});
      return leave(topic);
    }
    if (event === "access_token") {
      const token = (payload as { access_token?: unknown } | null)?.access_token;
      return typeof token === "string" ? joined.channel.renew(token) : undefined;
    }
    reply(message, "error", { reason: refusedMessage(event).reason });
    // A client that requested no acknowledgement ignores the reply, so its channel ends.
    if (event === "broadcast") joined.channel.refuseMessage(event);
  };

  // Messages count as work of the request that opened the socket.
  const ofThisRequest = new AsyncResource("socket");
  ws.on("message", (data, binary) => {
    if (ws.readyState !== ws.OPEN) return;
    silence.refresh();
    if (!maySend()) return tooManyMessages();
    const message = decode(version, data, binary);
    if (!message) return cutOff(1007, "not a message of this protocol");
    if (++unanswered > UNANSWERED_MESSAGES) return cutOff(1008, "too many messages at once");
    turn = turn
      // Messages of a client that has left, or was disconnected, get no reply.
      .then(() => (ws.readyState === ws.OPEN ? ofThisRequest.runInAsyncScope(answer, undefined, message) : undefined))
      .catch(failed)
      .finally(() => {
        unanswered--;
      });
  });
  // The close event follows and cleans up.
  ws.on("error", () => ws.terminate());
  ws.on("close", () => {
    clearTimeout(silence);
    for (const { channel } of channels.values()) channel.leave();
    channels.clear();
    budget.close();
  });
}
