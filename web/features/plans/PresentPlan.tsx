import { useTranslation } from "react-i18next";
import { sizeText, storageLimit } from "../../../shared/storage.ts";
import type { HeldPlan } from "../../data/held-plans.queries.ts";
import { daysLeft, NEAR_DAYS, type SubscriptionDetails } from "../../data/subscription.ts";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { dateText, localeOf } from "../../lib/formatting/locale.ts";
import { PlanSky } from "../../media/PlanSky.tsx";

interface PresentPlanProps {
  details: SubscriptionDetails;
  error: Error | null;
  plans: readonly HeldPlan[];
  lapsed: { name: string; expires_at: string } | null;
}

/** Renders the current plan and its end date, the next plan, and a note if the end is near or past. */
export function PresentPlan({ details, error, plans, lapsed }: PresentPlanProps) {
  const { t, i18n } = useTranslation("pricing");
  const locale = localeOf(i18n.language);
  const on = (moment: string) => dateText(moment, locale);
  const days = daysLeft(details.expires_at, useMinute());
  const waiting = plans.filter(({ status }) => status === "waiting");
  return (
    <section
      aria-label={details.plan_name}
      className="grid gap-6 rounded-3xl border border-line bg-raised p-6 sm:p-10 md:grid-cols-[1.2fr_1fr] md:gap-12"
    >
      <div className="grid content-start gap-3">
        <p className="font-serif text-4xl">{details.plan_name}</p>
        <p className="text-xl text-ink-soft">
          {details.expires_at ? t("subscribe.until", { date: on(details.expires_at) }) : t("subscribe.forever")}
        </p>
        <p>
          {details.max_memories === null ? t("unlimited") : t("memories", { count: details.max_memories })} ·{" "}
          {t("storage", { size: sizeText(storageLimit(details.storage_gb), locale) })}
        </p>
        {waiting.map((plan) => (
          <p key={plan.starts_at}>
            {t("subscribe.then", { plan: plan.name, date: on(plan.starts_at), end: on(plan.expires_at) })}
          </p>
        ))}
        {error && (
          <Notice>
            {t("subscribe.unknown")}. {t("subscribe.unknownText")}
          </Notice>
        )}
        {details.expires_at && days !== null && days <= NEAR_DAYS && waiting.length === 0 && (
          <Notice>{t("subscribe.near", { count: days, plan: details.plan_name, date: on(details.expires_at) })}</Notice>
        )}
        {lapsed && <Notice>{t("subscribe.lapsed", { plan: lapsed.name, date: on(lapsed.expires_at) })}</Notice>}
      </div>
      <PlanSky plan={details.plan_id} className="h-full min-h-36 overflow-hidden rounded-2xl md:order-last" />
    </section>
  );
}

const Notice = ({ children }: { children: React.ReactNode }) => (
  <p role="status" className="rounded-2xl bg-amber-wash px-4 py-3">
    {children}
  </p>
);
