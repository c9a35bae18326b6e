import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { sizeText, storageLimit } from "../../../shared/storage.ts";
import type { Plan } from "../../data/plans.queries.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Problem } from "../../ui/Problem.tsx";
import { Panel } from "./Panel.tsx";
import type { Dashboard } from "./use-dashboard.ts";

interface PlanListProps extends Pick<Dashboard, "plans"> {
  /** The id of the person's own plan. */
  held: string | undefined;
}

/** The plans there are and what each holds, the person's own marked. */
export function PlanList({ plans, held }: PlanListProps) {
  const { t } = useTranslation("dashboard");
  return (
    <div className="lg:col-span-2">
      <Panel title={t("plans.title")} text={t("plans.text")}>
        {plans.isError && <Problem error={new Error(t("plans.failed"))} retry={plans.refetch} />}
        {plans.isSuccess && (
          <ul className="m-0 grid list-none gap-4 p-0 sm:grid-cols-2 xl:grid-cols-4">
            {plans.data.map((plan) => (
              <PlanCard key={plan.id} plan={plan} yours={plan.id === held} />
            ))}
          </ul>
        )}
        <Button asChild variant="quiet" className="justify-self-start">
          <Link to={paths.plans()}>{t("plans.choose")}</Link>
        </Button>
      </Panel>
    </div>
  );
}

function PlanCard({ plan, yours }: { plan: Plan; yours: boolean }) {
  const { t, i18n } = useTranslation("dashboard");
  const size = sizeText(storageLimit(plan.storage_gb), localeOf(i18n.language));
  const facts = [
    plan.max_memories === null ? t("plans.unlimited") : t("plans.memories", { count: plan.max_memories }),
    t("plans.storage", { size }),
    plan.included_cards > 0 ? t("plans.cards", { count: plan.included_cards }) : t("plans.qr"),
  ];
  return (
    <li
      className={classNames(
        "grid content-start gap-4 rounded-2xl border p-5",
        yours ? "border-deep bg-wash" : "border-line bg-paper",
      )}
    >
      <div className="grid gap-1">
        <h3 className="font-serif text-xl">{plan.name}</h3>
        <p className="text-ink-soft">
          {plan.term_years === null ? t("plans.endless") : t("plans.years", { count: plan.term_years })}
        </p>
      </div>
      <ul className="m-0 grid list-none gap-2 p-0">
        {facts.map((fact) => (
          <li key={fact} className="flex gap-3">
            <Check aria-hidden className="mt-1 size-5 shrink-0 text-deep" />
            {fact}
          </li>
        ))}
      </ul>
      {yours && (
        <p className="justify-self-start rounded-full bg-deep px-3 py-0.5 text-sm font-semibold text-on-deep">
          {t("plans.yours")}
        </p>
      )}
    </li>
  );
}
