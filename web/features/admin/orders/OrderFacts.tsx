import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { price } from "../../../lib/formatting/currency.ts";
import { useUser } from "../../../lib/session/session.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { amountFrom, typedAmount } from "../desk-text.ts";
import { type DeskOrder, useRefund, useResendReceipt } from "./orders.queries.ts";

/** An order's state, buyer and cards. */
export function OrderFacts({ order }: { order: DeskOrder }) {
  const { t } = useTranslation("adminOrders");
  const { role } = useUser();
  const { email, user_id, status, refunded, currency, voucher_code, affiliate_code, payment_intent, metal_cards } =
    order;
  const partly = status === "paid" && refunded > 0;
  return (
    <dl className="m-0 grid gap-x-6 gap-y-3 rounded-3xl bg-wash p-5 sm:grid-cols-[auto_1fr] sm:p-7">
      <Fact name={t("status")}>
        {t(partly ? "statuses.partly" : `statuses.${status}`)}
        {refunded > 0 && ` · ${t("refunded", { amount: price(refunded, currency) })}`}
      </Fact>
      <Fact name={t("buyer")}>
        {user_id && role !== "fulfilment" ? (
          <Link to={paths.admin("people", user_id)}>{email || user_id}</Link>
        ) : (
          email || t("gone")
        )}
      </Fact>
      {voucher_code && <Fact name={t("voucher")}>{voucher_code}</Fact>}
      {affiliate_code && <Fact name={t("affiliate")}>{affiliate_code}</Fact>}
      {payment_intent && <Fact name={t("payment")}>{payment_intent}</Fact>}
      {metal_cards.length > 0 && (
        <Fact name={t("cards")}>
          <ul className="m-0 grid list-none gap-1 p-0">
            {metal_cards.map(({ id, code, name, making }) => (
              <li key={id}>
                <Link to={`${paths.admin("cards")}?find=${code}`} className="font-mono">
                  {code}
                </Link>{" "}
                {name} · {t(`making.${making}`)}
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="m-0 wrap-anywhere">{children}</dd>
  </div>
);

/** The permitted actions on an order. */
export function OrderActions({ order }: { order: DeskOrder }) {
  const { t } = useTranslation("adminOrders");
  const { role } = useUser();
  const receipt = useResendReceipt(order.id);
  const resend = () =>
    receipt.isPending ||
    receipt.mutate(undefined, {
      onSuccess: () => toast({ tone: "success", title: t("receiptSent", { email: order.email }) }),
      onError: ({ message }) => toast({ tone: "problem", title: message }),
    });
  return (
    <>
      {order.paid_at && (role === "admin" || role === "support") && (
        <Button variant="quiet" aria-busy={receipt.isPending} onClick={resend}>
          {t("resend")}
        </Button>
      )}
      {role === "admin" && <RefundOrder order={order} />}
    </>
  );
}

/** Refunds an order wholly or partly, and retries refunds that the provider has not answered. */
function RefundOrder({ order }: { order: DeskOrder }) {
  const { t } = useTranslation("adminOrders");
  const [open, setOpen] = useState(false);
  const refundable = leftOf(order);
  const unanswered = order.refunds.filter(({ state }) => state === "asked");
  const again = useRefund(order.id);
  return (
    <>
      {order.status === "paid" && refundable > 0 && (
        <Button variant="quiet" onClick={() => setOpen(true)}>
          {t("refund.open")}
        </Button>
      )}
      {unanswered.map(({ id, amount, reason }) => (
        <Button
          key={id}
          variant="quiet"
          aria-busy={again.isPending}
          onClick={() =>
            again.isPending ||
            again.mutate(
              { amount, reason, request: id },
              { onError: ({ message }) => toast({ tone: "problem", title: message }) },
            )
          }
        >
          {t("refund.again", { amount: price(amount, order.currency) })}
        </Button>
      ))}
      <Dialog title={t("refund.title", { number: order.number })} open={open} onOpenChange={setOpen}>
        <RefundForm order={order} refundable={refundable} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** Returns the refundable amount: the total minus completed and pending refunds. */
const leftOf = ({ total, refunded, refunds }: DeskOrder) =>
  total - refunded - refunds.reduce((sum, { state, amount }) => sum + (state === "asked" ? amount : 0), 0);

function RefundForm({ order, refundable, onDone }: { order: DeskOrder; refundable: number; onDone: () => void }) {
  const { t } = useTranslation("adminOrders");
  const [typed, setTyped] = useState(typedAmount(refundable));
  const [reason, setReason] = useState("");
  // The idempotency key: pressing twice repeats the same refund, and a changed amount gets a new key.
  const [request, setRequest] = useState(() => crypto.randomUUID());
  const [tried, setTried] = useState(false);
  const refund = useRefund(order.id);
  const amount = amountFrom(typed);
  const fits = amount !== undefined && amount > 0 && amount <= refundable;
  const send = () => {
    setTried(true);
    if (refund.isPending || !fits || !reason.trim()) return;
    refund.mutate(
      { amount, reason: reason.trim(), request },
      {
        onSuccess: () => {
          toast({ tone: "success", title: t("refund.done"), description: t("refund.doneText") });
          onDone();
        },
      },
    );
  };
  return (
    <Form
      error={refund.error}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextField
        label={t("refund.amount", { currency: order.currency })}
        hint={t("refund.left", { amount: price(refundable, order.currency) })}
        inputMode="decimal"
        value={typed}
        error={tried && !fits ? t("refund.wrong", { amount: price(refundable, order.currency) }) : undefined}
        onChange={({ target }) => {
          setTyped(target.value);
          setRequest(crypto.randomUUID());
        }}
      />
      <TextArea
        label={t("refund.reason")}
        value={reason}
        maxLength={500}
        error={tried && !reason.trim() ? t("refund.noReason") : undefined}
        onChange={({ target }) => setReason(target.value)}
      />
      <p className="text-ink-soft">{t(fits && amount === refundable ? "refund.whole" : "refund.part")}</p>
      <SubmitButton variant="danger" busy={refund.isPending} className="justify-self-start">
        {fits ? t("refund.submit", { amount: price(amount, order.currency) }) : t("refund.open")}
      </SubmitButton>
    </Form>
  );
}
