import { useState } from "react";
import { useTranslation } from "react-i18next";
import { price } from "../../../lib/formatting/currency.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { amountFrom, typedAmount } from "../desk-text.ts";
import { type Balance, useRecordPayout } from "./affiliates.queries.ts";

interface PayoutProps {
  email: string;
  balances: readonly Balance[];
}

interface RecordPayoutProps extends PayoutProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Records that an affiliate was paid. It transfers no money. */
export function RecordPayout({ open, onOpenChange, ...payout }: RecordPayoutProps) {
  const { t } = useTranslation("adminAffiliates");
  return (
    <Dialog
      title={t("pay")}
      description={t("payText", { email: payout.email })}
      open={open}
      onOpenChange={onOpenChange}
    >
      <PayoutForm {...payout} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PayoutForm({ email, balances, onDone }: PayoutProps & { onDone: () => void }) {
  const { t } = useTranslation("adminAffiliates");
  const payable = balances.filter((balance) => balance.payable > 0);
  const [currency, setCurrency] = useState(payable[0]?.currency ?? "GBP");
  const most = payable.find((balance) => balance.currency === currency)?.payable ?? 0;
  const [typed, setTyped] = useState(typedAmount(most));
  const [reference, setReference] = useState("");
  const [tried, setTried] = useState(false);
  const record = useRecordPayout();
  const amount = amountFrom(typed);
  const fits = amount !== undefined && amount > 0 && amount <= most;
  return (
    <Form
      error={record.error}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (record.isPending || !fits) return;
        record.mutate(
          { email, amount: amount / 100, currency, reference: reference.trim() },
          {
            onSuccess: () => {
              toast({ tone: "success", title: t("recorded", { amount: price(amount, currency) }) });
              onDone();
            },
          },
        );
      }}
    >
      <SelectField
        label={t("currency")}
        value={currency}
        options={payable.map((balance) => [
          balance.currency,
          `${balance.currency} · ${price(balance.payable, balance.currency)}`,
        ])}
        onChange={({ target }) => {
          const next = payable.find((balance) => balance.currency === target.value);
          if (!next) return;
          setCurrency(next.currency);
          setTyped(typedAmount(next.payable));
        }}
      />
      <TextField
        label={t("amount")}
        inputMode="decimal"
        value={typed}
        error={tried && !fits ? t("wrong", { amount: price(most, currency) }) : undefined}
        onChange={({ target }) => setTyped(target.value)}
      />
      <TextField
        label={t("reference")}
        maxLength={200}
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
      <SubmitButton busy={record.isPending} className="justify-self-start">
        {t("record")}
      </SubmitButton>
    </Form>
  );
}
