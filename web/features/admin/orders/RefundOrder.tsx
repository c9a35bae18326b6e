import { useState } from "react";
import { useTranslation } from "react-i18next";
import { price } from "../../../lib/formatting/currency.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { amountFrom, typedAmount } from "../desk-text.ts";
import { type DeskOrder, useRefund } from "./orders.queries.ts";

/** Gives back what an order cost, or a part, and asks again for refunds whose answer never came. */
export function RefundOrder({ order }: { order: DeskOrder }) {
  const { t } = useTranslation("adminOrders");
  const [open, setOpen] = useState(false);
  const left = leftOf(order);
  const unanswered = order.refunds.filter(({ state }) => state === "asked");
  const again = useRefund(order.id);
  return (
    <>
      {order.status === "paid" && left > 0 && (
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
        <RefundForm order={order} left={left} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** What can still go back: less what was asked for and is not known to have gone. */
const leftOf = ({ total, refunded, refunds }: DeskOrder) =>
  total - refunded - refunds.reduce((sum, { state, amount }) => sum + (state === "asked" ? amount : 0), 0);

function RefundForm({ order, left, onDone }: { order: DeskOrder; left: number; onDone: () => void }) {
  const { t } = useTranslation("adminOrders");
  const [typed, setTyped] = useState(typedAmount(left));
  const [reason, setReason] = useState("");
  // Pressed twice it is the same refund; with another amount it is another.
  const [request, setRequest] = useState(() => crypto.randomUUID());
  const [tried, setTried] = useState(false);
  const refund = useRefund(order.id);
  const amount = amountFrom(typed);
  const fits = amount !== undefined && amount > 0 && amount <= left;
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
        hint={t("refund.left", { amount: price(left, order.currency) })}
        inputMode="decimal"
        value={typed}
        error={tried && !fits ? t("refund.wrong", { amount: price(left, order.currency) }) : undefined}
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
      <p className="text-ink-soft">{t(fits && amount === left ? "refund.whole" : "refund.part")}</p>
      <SubmitButton variant="danger" busy={refund.isPending} className="justify-self-start">
        {fits ? t("refund.submit", { amount: price(amount, order.currency) }) : t("refund.open")}
      </SubmitButton>
    </Form>
  );
}
