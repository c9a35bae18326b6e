import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { sizeText, storageLimit } from "../../../shared/storage.ts";
import { daysLeft, NEAR_DAYS, type SubscriptionDetails } from "../../data/plans.queries.ts";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { dateText, localeOf } from "../../lib/formatting/locale.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Panel } from "../../ui/Panel.tsx";
import type { Dashboard } from "./use-dashboard.ts";

interface PlanPanelProps extends Pick<Dashboard, "subscription" | "lapsed" | "next"> {
  /** The number of memories; undefined if unknown. */
  memoryCount: number | undefined;
}

/** The current plan and its use, and when the previous plan ended. */
export function PlanPanel({ subscription: { details, error }, lapsed, next, memoryCount }: PlanPanelProps) {
  const { t } = useTranslation("dashboard");
  return (
    <Panel title={t("plan.title")}>
      {error && (
        <p role="status" className="rounded-2xl bg-sunken px-4 py-3 text-ink-soft">
          {t("plan.unknown")}. {t("plan.unknownText")}
        </p>
      )}
      {details && <Limits details={details} memoryCount={memoryCount} />}
      {details && (next ? <Next plan={next} /> : <EndsSoon details={details} />)}
      {lapsed && <Lapsed plan={lapsed} />}
      <div className="grid justify-items-start gap-2">
        <Button asChild variant="quiet">
          <Link to={paths.plans()}>{t(details?.has_subscription ? "plan.renew" : "plan.see")}</Link>
        </Button>
        {/* Aligns the buttons' text with the panel's edge. */}
        <div className="-mx-5 flex flex-wrap">
          <Button asChild variant="plain">
            <Link to={paths.cards()}>{t("plan.cards")}</Link>
          </Button>
          <Button asChild variant="plain">
            <Link to={paths.orders()}>{t("plan.orders")}</Link>
          </Button>
          <Button asChild variant="plain">
            <Link to={paths.affiliates()}>{t("plan.affiliates")}</Link>
          </Button>
        </div>
      </div>
    </Panel>
  );
}

function Limits({ details, memoryCount }: { details: SubscriptionDetails; memoryCount: number | undefined }) {
  const { t, i18n } = useTranslation("dashboard");
  const locale = localeOf(i18n.language);
  const { plan_name, max_memories, storage_gb, expires_at } = details;
  return (
    <>
      <p className="font-serif text-3xl">{plan_name}</p>
      <dl className="m-0 grid gap-3">
        <Fact name={t("plan.memories")}>
          {memoryCount === undefined
            ? "–"
            : max_memories === null
              ? t("plan.memoriesFree", { count: memoryCount })
              : t("plan.memoriesOf", { count: memoryCount, most: max_memories })}
        </Fact>
        <Fact name={t("plan.storage")}>{sizeText(storageLimit(storage_gb), locale)}</Fact>
        <Fact name={t("plan.until")}>{expires_at ? dateText(expires_at, locale) : t("plan.forever")}</Fact>
      </dl>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap justify-between gap-x-4 border-t border-line pt-3">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="m-0 font-semibold">{children}</dd>
  </div>
);

function EndsSoon({ details: { expires_at } }: { details: SubscriptionDetails }) {
  const { t, i18n } = useTranslation("dashboard");
  const days = daysLeft(expires_at, useMinute());
  if (expires_at === null || days === null || days > NEAR_DAYS) return null;
  const date = dateText(expires_at, localeOf(i18n.language));
  return <p className="rounded-2xl bg-amber-wash px-4 py-3">{t("plan.near", { count: days, date })}</p>;
}

function Next({ plan }: { plan: NonNullable<Dashboard["next"]> }) {
  const { t, i18n } = useTranslation("dashboard");
  const on = (moment: string) => dateText(moment, localeOf(i18n.language));
  return <p>{t("plan.then", { plan: plan.name, date: on(plan.starts_at), end: on(plan.expires_at) })}</p>;
}

function Lapsed({ plan }: { plan: NonNullable<Dashboard["lapsed"]> }) {
  const { t, i18n } = useTranslation("dashboard");
  const date = dateText(plan.expires_at, localeOf(i18n.language));
  return (
    <div className="grid gap-1 rounded-2xl bg-amber-wash px-4 py-3">
      <p className="font-semibold">{t("plan.lapsedTitle", { plan: plan.name, date })}</p>
      <p>{t("plan.lapsedText")}</p>
    </div>
  );
}
