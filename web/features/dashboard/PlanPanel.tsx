import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { sizeText, storageLimit } from "../../../shared/storage.ts";
import { localeOf } from "../../lib/locale.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import type { SubscriptionDetails } from "../plans/plans.queries.ts";
import { Panel } from "./Panel.tsx";
import type { Dashboard } from "./use-dashboard.ts";

interface PlanPanelProps extends Pick<Dashboard, "subscription" | "lapsed"> {
  /** How many memories there are; undefined where that could not be read. */
  kept: number | undefined;
}

/** The plan that counts, what of it is used, and what became of the one before. */
export function PlanPanel({ subscription: { details, error }, lapsed, kept }: PlanPanelProps) {
  const { t } = useTranslation("dashboard");
  return (
    <Panel title={t("plan.title")}>
      {error && (
        <p role="status" className="rounded-2xl bg-sunken px-4 py-3 text-ink-soft">
          {t("plan.unknown")}. {t("plan.unknownText")}
        </p>
      )}
      {details && <Limits details={details} kept={kept} />}
      {lapsed && <Lapsed plan={lapsed} />}
      <Button asChild variant="quiet" className="justify-self-start">
        <Link to={paths.plans()}>{t("plan.see")}</Link>
      </Button>
    </Panel>
  );
}

function Limits({ details, kept }: { details: SubscriptionDetails; kept: number | undefined }) {
  const { t, i18n } = useTranslation("dashboard");
  const locale = localeOf(i18n.language);
  const { plan_name, max_memories, storage_gb, expires_at } = details;
  return (
    <>
      <p className="font-serif text-3xl">{plan_name}</p>
      <dl className="m-0 grid gap-3">
        <Fact name={t("plan.memories")}>
          {kept === undefined
            ? "–"
            : max_memories === null
              ? t("plan.memoriesFree", { count: kept })
              : t("plan.memoriesOf", { count: kept, most: max_memories })}
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

const dateText = (moment: string, locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(new Date(moment));
