import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { numberText } from "../../../shared/number-text.ts";
import { price } from "../../lib/formatting/currency.ts";
import { dateText, localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { AffiliateLink } from "./AffiliateLink.tsx";
import { type Affiliate, type Balance, figuresQuery, type Payout, useAffiliateState } from "./affiliates.queries.ts";
import { CommissionList } from "./CommissionList.tsx";
import { Terms } from "./Terms.tsx";

/** The affiliate's link, visits, purchases, earnings and payouts. */
export function AffiliateDashboard({ affiliate, userId }: { affiliate: Affiliate; userId: string }) {
  const { t } = useTranslation("affiliates");
  const figures = useQuery(figuresQuery(supabase, affiliate.id));
  return (
    <div className="page-width grid gap-6 py-10 sm:py-14">
      <h1 className="font-serif text-4xl leading-tight sm:text-5xl">{t("title")}</h1>
      {affiliate.state === "paused" && <p className="rounded-2xl bg-amber-wash px-5 py-4">{t("paused")}</p>}
      {affiliate.state === "left" ? <Left userId={userId} /> : <AffiliateLink code={affiliate.code} />}
      {figures.isLoadingError && (
        <div className="rounded-3xl border border-line bg-raised">
          <Problem error={new Error(t("failed"))} retry={figures.refetch} />
        </div>
      )}
      {figures.isPending && (
        <>
          <Skeleton className="h-48 rounded-3xl" />
          <Skeleton className="h-96 rounded-3xl" />
        </>
      )}
      {figures.isSuccess && (
        <>
          <div className="grid gap-6 lg:grid-cols-2">
            <Figures clicks={figures.data.clicks} sales={figures.data.commissions.length} />
            <Balances balances={figures.data.balances} />
          </div>
          <CommissionList affiliateId={affiliate.id} commissions={figures.data.commissions} />
          <PayoutList payouts={figures.data.payouts} />
        </>
      )}
      <div className="mt-8 grid gap-12">
        <Terms />
        {affiliate.state !== "left" && <Leave userId={userId} paused={affiliate.state === "paused"} />}
      </div>
    </div>
  );
}

/** Payouts, newest first. */
function PayoutList({ payouts }: { payouts: readonly Payout[] }) {
  const { t, i18n } = useTranslation("affiliates");
  const locale = localeOf(i18n.language);
  return (
    <Panel title={t("payouts.title")}>
      {payouts.length === 0 ? (
        <p className="text-ink-soft">{t("payouts.empty")}</p>
      ) : (
        <ul className="m-0 grid list-none p-0">
          {payouts.map(({ id, paid_at, amount, currency, reference }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-6 border-t border-line py-3">
              <span>{dateText(paid_at, locale)}</span>
              <span className="grow text-ink-soft wrap-anywhere">{reference}</span>
              <span className="font-semibold tabular-nums">{price(amount, currency)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The numbers of visits and purchases. */
function Figures({ clicks, sales }: { clicks: number; sales: number }) {
  const { t, i18n } = useTranslation("affiliates");
  const locale = localeOf(i18n.language);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const figures = [
    ["clicks", numberText(clicks, i18n.language)],
    ["sales", numberText(sales, i18n.language)],
    ["conversion", clicks > 0 ? percent.format(Math.min(1, sales / clicks)) : "–"],
  ] as const;
  return (
    <Panel title={t("figures.title")}>
      <dl className="m-0 grid gap-5 sm:grid-cols-3 lg:grid-cols-1">
        {figures.map(([figure, value]) => (
          <div key={figure} className="flex flex-col border-t border-line pt-3">
            <dt className="font-semibold">{t(`figures.${figure}`)}</dt>
            <dd className="m-0 font-serif text-4xl tabular-nums">{value}</dd>
            <dd className="m-0 text-sm text-ink-soft">{t(`figures.${figure}Text`)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/**
 * Leaves the programme, with an undo. Paused affiliates cannot leave, because only an administrator can resume them.
 */
function Leave({ userId, paused }: { userId: string; paused: boolean }) {
  const { t } = useTranslation("affiliates");
  const change = useAffiliateState(supabase, userId);
  const failed = () => toast({ title: t("leave.failed"), tone: "problem" });
  const leave = () =>
    change.mutate("left", {
      onSuccess: () =>
        toast({
          title: t("leave.done"),
          action: { label: t("leave.undo"), onSelect: () => change.mutate("active", { onError: failed }) },
        }),
      onError: failed,
    });
  if (paused) return null;
  return (
    <Panel title={t("leave.title")} text={t("leave.text")}>
      <Button variant="quiet" className="justify-self-start" aria-disabled={change.isPending} onClick={leave}>
        {t("leave.button")}
      </Button>
    </Panel>
  );
}

/** For affiliates who have left: an explanation, and a button to return. */
function Left({ userId }: { userId: string }) {
  const { t } = useTranslation("affiliates");
  const change = useAffiliateState(supabase, userId);
  return (
    <Panel title={t("left.title")} text={t("left.text")}>
      <Button
        className="justify-self-start"
        aria-disabled={change.isPending}
        onClick={() => change.mutate("active", { onError: () => toast({ title: t("leave.failed"), tone: "problem" }) })}
      >
        {t("left.back")}
      </Button>
    </Panel>
  );
}

/** Earnings by state and currency. */
function Balances({ balances }: { balances: readonly Balance[] }) {
  const { t } = useTranslation("affiliates");
  return (
    <Panel title={t("balance.title")}>
      {balances.length === 0 && <p className="text-ink-soft">{t("balance.empty")}</p>}
      {balances.map((balance) => (
        <InCurrency key={balance.currency} balance={balance} />
      ))}
    </Panel>
  );
}

function InCurrency({ balance }: { balance: Balance }) {
  const { t } = useTranslation("affiliates");
  const { currency, payable, waiting, paid_out, earned, reversed } = balance;
  const lines = [
    ["waiting", waiting],
    ["paidOut", paid_out],
    ["earned", earned],
    ["reversed", -reversed],
  ] as const;
  return (
    <div className="grid gap-3">
      <h3 className="text-ink-soft">{t(`balance.${currency}`)}</h3>
      <dl className="m-0 grid gap-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className="font-semibold">{t("balance.payable")}</dt>
          <dd className="m-0 font-serif text-4xl text-deep tabular-nums">{price(payable, currency)}</dd>
        </div>
        {lines
          .filter(([line, amount]) => line !== "reversed" || amount !== 0)
          .map(([line, amount]) => (
            <div key={line} className="flex justify-between gap-4 border-t border-line pt-2">
              <dt className="text-ink-soft">{t(`balance.${line}`)}</dt>
              <dd className="m-0 shrink-0 tabular-nums">{price(amount, currency)}</dd>
            </div>
          ))}
      </dl>
      {payable < 0 && <p className="rounded-2xl bg-amber-wash px-4 py-3">{t("balance.owed")}</p>}
    </div>
  );
}
