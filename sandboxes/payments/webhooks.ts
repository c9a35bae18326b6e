import { createHmac } from "node:crypto";
import { newId, seconds, type VendorEvent } from "./objects.ts";

/** The pauses between the attempts of a delivery, in milliseconds; the last one repeats. */
const RETRY_DELAYS_MS = [50, 100, 200, 400];
const MAX_ATTEMPTS = 600;
const DELAY_MS = 10_000;

interface Delivery {
  event: VendorEvent;
  attempts: number;
  timer?: NodeJS.Timeout | undefined;
}

export interface WebhookSettings {
  secret: string;
  /** The URL for events. Without it, deliveries are retried until it is set. */
  url?: string | undefined;
}

/** Sends events to the webhook as the vendor does: with a new signature at each attempt, until they are accepted. */
export function createWebhooks(settings: WebhookSettings) {
  let { url } = settings;
  let closed = false;
  const events: VendorEvent[] = [];
  const pending = new Set<Delivery>();
  const delayed = new Set<Delivery>();

  const sign = (body: string, at = seconds()) =>
    `t=${at},v1=${createHmac("sha256", settings.secret).update(`${at}.${body}`).digest("hex")}`;

  const attempt = async (delivery: Delivery): Promise<void> => {
    delivery.timer = undefined;
    if (closed) return;
    const body = JSON.stringify(delivery.event);
    const isAccepted =
      url !== undefined &&
      (await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": sign(body) },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(20_000),
      })
        .then(async (reply) => {
          await reply.arrayBuffer();
          return reply.ok;
        })
        // This includes an incomplete response, e.g. of a killed server.
        .catch(() => false));
    delivery.attempts += 1;
    if (isAccepted || delivery.attempts >= MAX_ATTEMPTS) {
      pending.delete(delivery);
      delivery.event.pending_webhooks = 0;
      return;
    }
    delivery.timer = setTimeout(
      () => void attempt(delivery),
      RETRY_DELAYS_MS[Math.min(delivery.attempts, RETRY_DELAYS_MS.length) - 1],
    );
  };
  const deliver = (event: VendorEvent) => {
    const delivery: Delivery = { event, attempts: 0 };
    pending.add(delivery);
    void attempt(delivery);
  };
  const sendDelayed = (delivery: Delivery) => {
    if (!delayed.delete(delivery)) return;
    clearTimeout(delivery.timer);
    deliver(delivery.event);
  };

  return {
    events,
    /** Sends one event for each change, in this order or as `timing` requires. */
    emit(changes: readonly (readonly [type: string, object: object])[], timing = "at once") {
      const newEvents = changes.map(([type, object]): VendorEvent => {
        const event: VendorEvent = {
          id: newId("evt"),
          object: "event",
          api_version: "2026-10-28.endive",
          created: seconds(),
          type,
          // A copy of the object at this time; its current state can be fetched from the API.
          data: { object: structuredClone(object) },
          livemode: false,
          pending_webhooks: 1,
        };
        events.unshift(event);
        return event;
      });
      for (const event of timing === "backwards" ? newEvents.reverse() : newEvents) {
        if (timing === "late") {
          const delivery: Delivery = { event, attempts: 0 };
          delayed.add(delivery);
          delivery.timer = setTimeout(() => sendDelayed(delivery), DELAY_MS);
        } else {
          deliver(event);
          if (timing === "twice") deliver(event);
        }
      }
    },
    /** Sends the delayed events. */
    release() {
      for (const delivery of [...delayed]) sendDelayed(delivery);
    },
    /** Sends an event again, as the vendor's dashboard can. */
    repeat(id: string) {
      const event = events.find((one) => one.id === id);
      if (event) deliver(event);
      return event !== undefined;
    },
    /** The number of deliveries that are not accepted yet or delayed. */
    waiting: () => pending.size + delayed.size,
    deliverTo(address: string) {
      url = address;
    },
    sign,
    close() {
      closed = true;
      for (const { timer } of [...pending, ...delayed]) clearTimeout(timer);
    },
  };
}
export type Webhooks = ReturnType<typeof createWebhooks>;
