import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFind } from "../../../lib/browser/use-find.ts";
import { price } from "../../../lib/formatting/currency.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Empty } from "../../../ui/Empty.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeskList } from "../DeskTable.tsx";
import { type DeskAffiliate, deskAffiliatesQuery, useAffiliateState } from "./affiliates.queries.ts";
import { RecordPayout } from "./RecordPayout.tsx";
import { signsOf } from "./signs.ts";

/** Affiliates with earnings, payable balances, warnings and actions. */
export function AffiliateList() {
  const { t } = useTranslation("adminAffiliates");
  const { text, find, setText } = useFind();
  const rows = useInfiniteQuery(deskAffiliatesQuery(supabase, find));
  return (
    <section aria-label={t("title")} className="grid gap-5">
      <SearchField label={t("find")} value={text} onChange={setText} className="max-w-xl" />
      <DeskList
        pages={rows}
        empty={<Empty picture="signpost" title={t("empty")} text={t("emptyText")} />}
        caption={t("title")}
        keyOf={({ id }) => id}
        columns={[
          { head: t("affiliate"), cell: (row) => <Who affiliate={row} /> },
          { head: t("earned"), align: "end", cell: (row) => <Amounts affiliate={row} of="earned" /> },
          { head: t("paidOut"), align: "end", cell: (row) => <Amounts affiliate={row} of="paid_out" /> },
          { head: t("payable"), align: "end", cell: (row) => <Amounts affiliate={row} of="payable" /> },
          { head: t("month"), cell: (row) => <Month affiliate={row} /> },
          { head: t("actions"), align: "end", cell: (row) => <Actions affiliate={row} /> },
        ]}
      />
    </section>
  );
}

interface OfAffiliate {
  affiliate: DeskAffiliate;
}

function Who({ affiliate: { email, code, state } }: OfAffiliate) {
  const { t } = useTranslation("adminAffiliates");
  return (
    <span className="grid justify-items-start max-md:justify-items-end">
      <span>{email ?? t("gone")}</span>
      <span className="font-mono text-sm font-normal">{code}</span>
      {state !== "active" && <span className="text-sm font-normal text-ink-soft">{t(`states.${state}`)}</span>}
    </span>
  );
}

function Amounts({ affiliate: { balances }, of }: OfAffiliate & { of: "earned" | "paid_out" | "payable" }) {
  if (balances.length === 0) return "–";
  return (
    <span className="grid">
      {balances.map((balance) => (
        <span key={balance.currency}>{price(balance[of], balance.currency)}</span>
      ))}
    </span>
  );
}

function Month({ affiliate }: OfAffiliate) {
  const { t } = useTranslation("adminAffiliates");
  const { clicks, purchases, busiest_day, own_purchases } = affiliate;
  return (
    <span className="grid gap-0.5">
      <span>
        {t("clicks", { count: clicks })}, {t("purchases", { count: purchases })}
      </span>
      {signsOf(affiliate).map((sign) => (
        <span key={sign} className="text-sm font-semibold text-danger-text">
          {t(`signs.${sign}`, { count: sign === "own" ? own_purchases : busiest_day })}
        </span>
      ))}
    </span>
  );
}

function Actions({ affiliate }: OfAffiliate) {
  const { t } = useTranslation("adminAffiliates");
  const [paying, setPaying] = useState(false);
  const change = useAffiliateState();
  const { id, state, email, balances } = affiliate;
  const failed = ({ message }: Error) => toast({ tone: "problem", title: message });
  const set = (next: DeskAffiliate["state"]) =>
    change.mutate(
      { id, state: next },
      {
        onSuccess: () =>
          toast({
            tone: "success",
            title: t(next === "paused" ? "paused" : "resumed"),
            action: { label: t("undo"), onSelect: () => change.mutate({ id, state }, { onError: failed }) },
          }),
        onError: failed,
      },
    );
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {email !== null && balances.some(({ payable }) => payable > 0) && (
        <Button size="small" onClick={() => setPaying(true)}>
          {t("pay")}
        </Button>
      )}
      {state !== "left" && (
        <Button
          size="small"
          variant="quiet"
          aria-busy={change.isPending}
          onClick={() => change.isPending || set(state === "active" ? "paused" : "active")}
        >
          {t(state === "active" ? "pause" : "resume")}
        </Button>
      )}
      {email !== null && <RecordPayout email={email} balances={balances} open={paying} onOpenChange={setPaying} />}
    </span>
  );
}
