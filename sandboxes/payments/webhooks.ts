import { createHmac } from "node:crypto";
import { newId, seconds, type VendorEvent } from "./objects.ts";

/** Milliseconds between the attempts of a delivery; the last value repeats. */
const PAUSES = [50, 100, 200, 400];
const MOST_TRIES = 600;
const LATE_MS = 10_000;

interface Delivery {
  event: VendorEvent;
  tries: number;
  timer?: NodeJS.Timeout | undefined;
}

export interface NewsSettings {
  secret: string;
  /** The URL for events. Without it, deliveries are retried until it is set. */
  url?: string | undefined;
}

/** Sends events to the webhook as the vendor does: with a new signature at each attempt, until they are accepted. */
export function createWebhooks(settings: NewsSettings) {
  let { url } = settings;
  let closed = false;
  const events: VendorEvent[] = [];
  const underWay = new Set<Delivery>();
  const held = new Set<Delivery>();

  const sign = (body: string, at = seconds()) =>
    `t=${at},v1=${createHmac("sha256", settings.secret).update(`${at}.${body}`).digest("hex")}`;

  const attempt = async (delivery: Delivery): Promise<void> => {
    delivery.timer = undefined;
    if (closed) return;
    const body = JSON.stringify(delivery.event);
    const heard =
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
    delivery.tries += 1;
    if (heard || delivery.tries >= MOST_TRIES) {
      underWay.delete(delivery);
      delivery.event.pending_webhooks = 0;
      return;
    }
    delivery.timer = setTimeout(() => void attempt(delivery), PAUSES[Math.min(delivery.tries, PAUSES.length) - 1]);
  };
  const deliver = (event: VendorEvent) => {
    const delivery: Delivery = { event, tries: 0 };
    underWay.add(delivery);
    void attempt(delivery);
  };
  const letGo = (delivery: Delivery) => {
    if (!held.delete(delivery)) return;
    clearTimeout(delivery.timer);
    deliver(delivery.event);
  };

  return {
    events,
    /** Sends one event for each change, in this order or as `manner` requires. */
    tell(happened: readonly (readonly [type: string, object: object])[], manner = "at once") {
      const made = happened.map(([type, object]): VendorEvent => {
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
      for (const event of manner === "backwards" ? made.reverse() : made) {
        if (manner === "late") {
          const delivery: Delivery = { event, tries: 0 };
          held.add(delivery);
          delivery.timer = setTimeout(() => letGo(delivery), LATE_MS);
        } else {
          deliver(event);
          if (manner === "twice") deliver(event);
        }
      }
    },
    /** Sends the delayed events. */
    release() {
      for (const delivery of [...held]) letGo(delivery);
    },
    /** Sends an event again, as the vendor's dashboard can. */
    repeat(id: string) {
      const event = events.find((one) => one.id === id);
      if (event) deliver(event);
      return event !== undefined;
    },
    /** The number of deliveries that are not accepted yet or delayed. */
    waiting: () => underWay.size + held.size,
    deliverTo(address: string) {
      url = address;
    },
    sign,
    close() {
      closed = true;
      for (const { timer } of [...underWay, ...held]) clearTimeout(timer);
    },
  };
}
export type Webhooks = ReturnType<typeof createWebhooks>;
