import type { FastifyPluginAsync } from "fastify";
import { asText, frame } from "../payments/page-frame.ts";

type Vendor = "ga4" | "plausible" | "meta" | "tiktok";

/** A received event: the fields that its vendor reads, and all sent fields. */
interface Received {
  vendor: Vendor;
  /** The vendor's own name for the property, site or pixel. */
  property: string;
  event: string;
  page: string;
  sent: Record<string, unknown>;
  receivedAt: string;
}

type Parsed = Pick<Received, "property" | "event" | "page">;

const MOST_KEPT = 500;

/** Parsers by vendor. They refuse events without the fields that the vendor requires. */
const parsers: Record<Vendor, (sent: Record<string, unknown>) => Parsed | undefined> = {
  ga4: ({ v, tid, cid, en, dl }) =>
    v === "2" && text(tid)?.startsWith("G-") && text(cid)
      ? whole({ property: text(tid), event: text(en), page: text(dl) })
      : undefined,
  plausible: ({ domain, name, url }) => whole({ property: text(domain), event: text(name), page: text(url) }),
  meta: ({ id, ev, dl }) => whole({ property: text(id), event: text(ev), page: text(dl) }),
  tiktok: ({ event, context }) => {
    const { pixel, page } = (context ?? {}) as { pixel?: { code?: unknown }; page?: { url?: unknown } };
    return whole({ property: text(pixel?.code), event: text(event), page: text(page?.url) });
  },
};

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

const whole = ({ property, event, page }: { [Field in keyof Parsed]: string | undefined }): Parsed | undefined =>
  property && event && page ? { property, event, page } : undefined;

/**
 * Replaces Google Analytics 4, Plausible and the pixels of Meta and TikTok: stores the received events, and shows them.
 */
export function openCollector(): FastifyPluginAsync {
  let events: Received[] = [];

  const take = (vendor: Vendor, sent: Record<string, unknown>): boolean => {
    const parsed = parsers[vendor](sent);
    if (parsed)
      events = [{ vendor, ...parsed, sent, receivedAt: new Date().toISOString() }, ...events].slice(0, MOST_KEPT);
    return parsed !== undefined;
  };

  return async (app) => {
    app.addHook("onRequest", async (_request, reply) => {
      reply.header("cache-control", "no-store");
    });
    app.addContentTypeParser("application/x-www-form-urlencoded", (_request, _body, done) => done(null));

    const fields = (query: unknown) => query as Record<string, unknown>;
    app.post("/g/collect", async ({ query }, reply) => reply.code(take("ga4", fields(query)) ? 204 : 400).send());
    app.post("/api/event", async ({ body }, reply) => reply.code(take("plausible", json(body)) ? 202 : 400).send("ok"));
    app.get("/tr", async ({ query }, reply) => reply.code(take("meta", fields(query)) ? 200 : 400).send());
    app.post("/api/v2/pixel", async ({ body }, reply) => reply.code(take("tiktok", json(body)) ? 200 : 400).send());

    app.get("/events", async () => ({ events }));
    app.delete("/events", async (_request, reply) => {
      events = [];
      return reply.code(204).send();
    });
    app.post("/clear", async (request, reply) => {
      events = [];
      return reply.redirect(request.url.replace(/\/clear$/, ""), 303);
    });
    app.get("/", async (request, reply) => {
      reply.type("text/html; charset=utf-8");
      return collectorPage(request.url.replace(/\/?(\?.*)?$/, ""), events);
    });
  };
}

/** Parses a body. Browsers send JSON as plain text, because this needs no CORS preflight. */
function json(body: unknown): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(String(body));
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const collectorPage = (base: string, events: Received[]): string =>
  frame(
    "en",
    "Sandbox analytics",
    `<h1>Sandbox analytics</h1>
<p class="soft">What analytics and ad pixels would have been told. Nothing here leaves this machine.</p>
<form class="row" method="post" action="${base}/clear"><button${events.length === 0 ? " disabled" : ""}>Delete all</button></form>
${events.length === 0 ? "<section><p>No events yet. Agree to cookies, and look at a few pages.</p></section>" : events.map(row).join("")}`,
    true,
  );

const row = ({ vendor, event, page, sent, receivedAt }: Received) => `<section>
<p><b>${asText(vendor)}</b> · ${asText(event)} · <span class="soft">${asText(new URL(page, "http://here").pathname)} · ${receivedAt.slice(11, 19)}</span></p>
<details><summary>All fields</summary><pre style="overflow-x:auto">${asText(JSON.stringify(sent, null, 2))}</pre></details>
</section>`;
