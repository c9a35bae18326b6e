import fastify, { type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from "fastify";
import { listenLazily } from "../lazy-server.ts";
import { ApiError, amountAt, objectOf } from "./api-error.ts";
import { type FormObject, objectAt, readForm, textAt } from "./form-body.ts";
import { newId, type Session } from "./objects.ts";
import type { PaymentStore } from "./payment-store.ts";
import type { Webhooks } from "./webhooks.ts";

interface ApiSettings {
  store: PaymentStore;
  webhooks: Webhooks;
  secretKey: string;
  /** The sandbox's pages, which the product's server also serves. */
  pages: FastifyPluginAsync;
}

type Params = { Params: { id: string }; Body: FormObject | null; Querystring: unknown };

/** The vendor's API on a loopback port. */
export const openApi = ({ port, ...settings }: ApiSettings & { port: number }) =>
  listenLazily(() => api(settings), port);

async function api({ store, webhooks, secretKey, pages }: ApiSettings) {
  const app = fastify();
  await app.register(pages, { prefix: "/sandbox/payments" });

  await app.register(async (api) => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, readForm(String(body))));
    api.addHook("onRequest", async (request, reply) => {
      reply.header("request-id", newId("req"));
      if (keyOf(request.headers.authorization) === secretKey) return;
      await reply.code(401).send({ error: { type: "invalid_request_error", message: "Invalid API Key provided" } });
    });
    api.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof ApiError)) throw error;
      const { message, param, code } = error;
      return reply
        .code(code === "resource_missing" ? 404 : 400)
        .send({ error: { type: "invalid_request_error", message, param, code } });
    });

    const answered = new Map<string, { body: string; answer: unknown }>();
    /** Repeats the response to an earlier request with the same idempotency key. */
    const once = (request: FastifyRequest<Params>, work: (form: FormObject) => unknown) => {
      const form = request.body ?? {};
      const key = request.headers["idempotency-key"];
      if (typeof key !== "string") return work(form);
      const body = request.url + JSON.stringify(form);
      const before = answered.get(key);
      if (before && before.body !== body) {
        throw new ApiError(
          "Keys for idempotent requests can only be used with the same parameters.",
          undefined,
          "idempotency_key_in_use",
        );
      }
      if (before) return before.answer;
      const answer = structuredClone(work(form));
      answered.set(key, { body, answer });
      return answer;
    };
    const post = (path: string, work: (form: FormObject, id: string) => unknown) =>
      api.post<Params>(`/v1/${path}`, async (request) => once(request, (form) => work(form, request.params.id)));
    const list = <T extends { id: string; created: number }>(
      path: string,
      objectsOf: () => Iterable<T>,
      fits: Fits<T>,
    ) => api.get<Params>(`/v1/${path}`, async (request) => page(request, [...objectsOf()], fits));

    post("coupons", (form) => store.makeCoupon(form));
    post("checkout/sessions", (form) => store.makeSession(form));
    post("checkout/sessions/:id/expire", (_form, id) => store.expireSession(id));
    post("refunds", (form) =>
      store.refund(
        textAt(form, "payment_intent") ?? "",
        textAt(form, "amount") ? amountAt(form, "amount") : undefined,
        objectAt(form, "metadata"),
      ),
    );
    post("disputes/:id/close", (_form, id) => store.closeDispute(id, "lost"));

    const expanded = (session: Session, fields: string[]) => {
      const intent = store.intents.get(session.payment_intent ?? "");
      if (!intent || !fields.some((path) => path.startsWith("payment_intent"))) return session;
      const charge = fields.includes("payment_intent.latest_charge") && store.charges.get(intent.latest_charge ?? "");
      return { ...session, payment_intent: { ...intent, latest_charge: charge || intent.latest_charge } };
    };
    api.get<Params>("/v1/checkout/sessions/:id", async (request) =>
      expanded(store.current(request.params.id), wantedOf(request)),
    );
    api.get<Params>("/v1/checkout/sessions/:id/line_items", async ({ params, url }) => {
      const data = store.items.get(store.current(params.id).id) ?? [];
      return { object: "list", data, has_more: false, url: url.split("?")[0] };
    });
    api.get<Params>("/v1/payment_intents/:id", async ({ params }) =>
      objectOf(store.intents, params.id, "payment_intent"),
    );
    list(
      "checkout/sessions",
      () => store.sessions.values(),
      ({ payment_intent }, query) => [null, payment_intent].includes(query.get("payment_intent")),
    );
    list(
      "refunds",
      () => store.refunds.values(),
      ({ payment_intent }, query) => [null, payment_intent].includes(query.get("payment_intent")),
    );
    list(
      "disputes",
      () => store.disputes.values(),
      ({ charge, payment_intent }, query) =>
        [null, charge].includes(query.get("charge")) && [null, payment_intent].includes(query.get("payment_intent")),
    );
    list(
      "events",
      () => webhooks.events,
      ({ type }, query) => [null, type].includes(query.get("type")),
    );
    api.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) =>
      reply.code(404).send({
        error: {
          type: "invalid_request_error",
          message: `Unrecognized request URL (${request.method}: ${request.url}).`,
        },
      }),
    );
  });

  return app;
}

type Fits<T> = (one: T, query: URLSearchParams) => boolean;

const queryOf = (request: FastifyRequest) => new URL(request.url, "http://x").searchParams;
const wantedOf = (request: FastifyRequest) =>
  [...queryOf(request)].filter(([key]) => key.startsWith("expand[")).map(([, path]) => path);

/** One page of a list, newest first. */
function page<T extends { id: string; created: number }>(request: FastifyRequest, all: T[], fits: Fits<T>) {
  const query = queryOf(request);
  const since = Number(query.get("created[gte]") ?? 0);
  const fitting = all.filter((one) => one.created >= since && fits(one, query)).sort((a, b) => b.created - a.created);
  const after = query.get("starting_after");
  const from = after ? fitting.findIndex(({ id }) => id === after) + 1 : 0;
  const size = Math.min(Number(query.get("limit") ?? 10), 100);
  return {
    object: "list",
    data: fitting.slice(from, from + size),
    has_more: fitting.length > from + size,
    url: request.url.split("?")[0],
  };
}

function keyOf(authorization = ""): string {
  const basic = authorization.match(/^Basic (\S+)$/)?.[1];
  if (basic) return Buffer.from(basic, "base64").toString().split(":")[0] ?? "";
  return authorization.replace(/^Bearer /, "");
}
