import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { ApiError, objectOf } from "./api-error.ts";
import { AUTHENTICATION_REQUIRED, type Challenge } from "./attempts.ts";
import { challengePage } from "./challenge-page.ts";
import { readForm, textAt } from "./form-body.ts";
import type { Session } from "./objects.ts";
import { asText, frame, money } from "./page-frame.ts";
import { payPage } from "./pay-page.ts";
import type { PaymentStore } from "./payment-store.ts";
import type { Webhooks } from "./webhooks.ts";

interface ById {
  Params: { id: string };
  Body: string | null;
}

/** The payment page, and the page for refunding and disputing payments. */
export const pages =
  (store: PaymentStore, webhooks: Webhooks): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    app.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof ApiError)) throw error;
      return reply
        .code(error.code === "resource_missing" ? 404 : 409)
        .type("text/plain; charset=utf-8")
        .send(error.message);
    });
    const html = (reply: FastifyReply, page: string) =>
      reply.header("cache-control", "no-store").type("text/html; charset=utf-8").send(page);
    const linesOf = (session: Session) => store.items.get(session.id) ?? [];
    const toSuccess = (reply: FastifyReply, { id, success_url }: Session) =>
      reply.redirect(success_url.replaceAll("{CHECKOUT_SESSION_ID}", id), 303);
    const toPayPage = (reply: FastifyReply, { id }: Session) => reply.redirect(`${app.prefix}/pay/${id}`, 303);

    app.get<ById>("/pay/:id", async ({ params }, reply) => {
      const session = store.current(params.id);
      const failed = store.failedChallenge(session.id);
      return html(reply, payPage({ session, lines: linesOf(session), ...(failed ? retry(failed) : {}) }));
    });

    app.post<ById>("/pay/:id", async ({ params, body }, reply) => {
      const form = readForm(body ?? "");
      const text = (name: string) => textAt(form, name) ?? "";
      const session = store.current(params.id);
      // A buyer who returns with the browser's back button and pays again is redirected to the completed purchase.
      if (session.status === "complete") return toSuccess(reply, session);
      const payer = {
        name: text("name"),
        phone: text("phone") || undefined,
        address: session.shipping_address_collection
          ? {
              line1: text("line1"),
              line2: text("line2") || null,
              city: text("city"),
              state: null,
              postal_code: text("postal_code"),
              country: text("country"),
            }
          : undefined,
      };
      if (session.amount_total === 0) store.finishFree(session.id, payer);
      else {
        const refusal = store.pay(session.id, { ...payer, number: text("number") });
        if (refusal === AUTHENTICATION_REQUIRED) return reply.redirect(`${app.prefix}/challenge/${session.id}`, 303);
        const typed = Object.fromEntries(Object.keys(form).map((name) => [name, text(name)]));
        if (refusal) return html(reply, payPage({ session, lines: linesOf(session), refusal, typed }));
      }
      return toSuccess(reply, session);
    });

    app.get<ById>("/challenge/:id", async ({ params }, reply) => {
      const session = store.current(params.id);
      if (!store.needsConfirmation(session.id)) return toPayPage(reply, session);
      return html(reply, challengePage(session));
    });

    app.post<ById>("/challenge/:id", async ({ params, body }, reply) => {
      const session = store.current(params.id);
      if (session.status === "complete") return toSuccess(reply, session);
      // The session has expired, or another tab has answered or tried another card.
      if (!store.needsConfirmation(session.id)) return toPayPage(reply, session);
      const isConfirmed = textAt(readForm(body ?? ""), "answer") === "confirm";
      return store.answerChallenge(session.id, isConfirmed) ? toPayPage(reply, session) : toSuccess(reply, session);
    });

    app.get<ById>("/receipt/:id", async ({ params }, reply) => {
      const charge = objectOf(store.charges, params.id, "charge");
      return html(reply, frame("en", "Receipt", `<h1>Receipt</h1><p>${money(charge.amount, charge.currency)}</p>`));
    });

    app.get("/", async (_request, reply) => html(reply, ledger(store, webhooks, app.prefix)));

    const back = (reply: FastifyReply) => reply.redirect(`${app.prefix}/`, 303);
    app.post("/release", async (_request, reply) => {
      store.release();
      return back(reply);
    });
    app.post<ById>("/intents/:id/refund", async ({ params, body }, reply) => {
      const amount = textAt(readForm(body ?? ""), "amount");
      store.refund(params.id, amount ? Number(amount) : undefined);
      return back(reply);
    });
    app.post<ById>("/intents/:id/dispute", async ({ params }, reply) => {
      store.dispute(params.id);
      return back(reply);
    });
    for (const end of ["won", "lost"] as const) {
      app.post<ById>(`/disputes/:id/${end}`, async ({ params }, reply) => {
        store.closeDispute(params.id, end);
        return back(reply);
      });
    }
    app.post<ById>("/sessions/:id/expire", async ({ params }, reply) => {
      store.expireSession(params.id);
      return back(reply);
    });
    app.post<ById>("/events/:id/repeat", async ({ params }, reply) => {
      webhooks.repeat(params.id);
      return back(reply);
    });
  };

/** What the payment page shows after a failed confirmation: the reason, and what the buyer typed except the card. */
const retry = ({ payer, refusal }: Challenge) => {
  const { name, phone = "", address } = payer;
  const typed = Object.entries({ name, phone, ...address }).map(([field, text]) => [field, text ?? ""]);
  return { refusal, typed: Object.fromEntries(typed) };
};

/** The list of all payments, newest first, with the possible actions. */
function ledger(store: PaymentStore, webhooks: Webhooks, base: string): string {
  const button = (action: string, label: string) =>
    `<form method="post" action="${base}/${action}"><button>${label}</button></form>`;
  const rows = [...store.sessions.values()].reverse().map((session) => {
    const charge = store.chargeOf(session);
    const dispute = [...store.disputes.values()].find(({ charge: of }) => of === charge?.id);
    const can = [
      ...(session.status === "open" ? [button(`sessions/${session.id}/expire`, "Expire")] : []),
      ...(charge && !charge.refunded
        ? [
            button(`intents/${charge.payment_intent}/refund`, "Refund all"),
            `<form method="post" class="row" action="${base}/intents/${charge.payment_intent}/refund"><input name="amount" aria-label="Pence" inputmode="numeric" placeholder="Pence" size="6" style="width:7em"><button>Refund a part</button></form>`,
          ]
        : []),
      ...(charge && !charge.disputed ? [button(`intents/${charge.payment_intent}/dispute`, "Dispute")] : []),
      ...(dispute?.status === "needs_response"
        ? [button(`disputes/${dispute.id}/won`, "Win"), button(`disputes/${dispute.id}/lost`, "Lose")]
        : []),
    ];
    const refunded = charge?.amount_refunded ? `, ${money(charge.amount_refunded, charge.currency)} given back` : "";
    return `<tr><td>${asText(session.metadata.order_number ?? session.id)}<br><span class="soft">${session.status}, ${session.payment_status}${refunded}${dispute ? `, dispute ${dispute.status}` : ""}</span></td>
      <td>${money(session.amount_total, session.currency)}</td><td><div style="display:grid;gap:8px">${can.join("")}</div></td></tr>`;
  });
  const events = webhooks.events
    .slice(0, 30)
    .map(({ id, type }) => `<tr><td>${asText(type)}</td><td>${button(`events/${id}/repeat`, "Send again")}</td></tr>`);
  return frame(
    "en",
    "Sandbox payments",
    `<h1>Sandbox payments</h1>
<p class="notice">No real money. ${webhooks.waiting()} webhooks are on their way or wait.</p>
${button("release", "Let slow banks answer, and late webhooks go out")}
<section><h2>Payments</h2><table><tbody>${rows.join("")}</tbody></table></section>
<section><h2>Webhooks</h2><table><tbody>${events.join("")}</tbody></table></section>`,
    true,
  );
}
