import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { isNewBuild } from "../lib/browser/new-build.ts";
import type { PartProblemProps } from "../lib/browser/part-boundary.ts";
import { reloadAnew } from "../lib/browser/renewed-files.ts";
import { Button } from "../ui/Button.tsx";
import { classNames } from "../ui/class-names.ts";

/**
 * Says that a part of the page could not be loaded. Reloading the page would lose what is typed elsewhere on it, so that
 * it is offered only if the product was updated or another attempt failed, and never done unasked.
 */
export function PartProblem({ failure, retry, retried }: PartProblemProps) {
  const { t } = useTranslation(["common", "layout"]);
  const [updated, setUpdated] = useState(false);
  useEffect(() => void isNewBuild().then(setUpdated), []);
  if (failure === "nothing") return null;
  return (
    <div
      role="alert"
      className={classNames(
        "grid max-w-prose justify-items-start gap-3 rounded-2xl border border-line p-5",
        failure === "in place" ? "bg-sunken" : "fixed inset-x-4 bottom-4 z-50 mx-auto bg-raised shadow-lifted",
      )}
    >
      <p>{updated ? t("layout:oops.text") : `${t("problem.title")}. ${t("problem.safe")}`}</p>
      {!updated && (
        <Button size="small" variant="quiet" onClick={retry}>
          {t("problem.retry")}
        </Button>
      )}
      {(updated || retried) && (
        <Button size="small" variant="quiet" onClick={reloadAnew}>
          {t("layout:refresh")}
        </Button>
      )}
    </div>
  );
}
