import { CloudOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";

interface ProblemProps {
  error: Error;
  /** Repeats the failed request. */
  retry?: () => void;
}

/** The error state of a list or screen that could not be loaded. */
export function Problem({ error, retry }: ProblemProps) {
  const { t } = useTranslation("common");
  return (
    <div
      role="alert"
      className="mx-auto grid w-full max-w-prose grid-cols-[minmax(0,1fr)] justify-items-center gap-4 px-6 py-12 text-center"
    >
      <CloudOff aria-hidden className="size-10 text-ink-soft" />
      <div className="grid gap-1">
        <p className="font-serif text-xl">{t("problem.title")}</p>
        <p className="text-ink-soft">{error.message}</p>
        <p className="text-ink-soft">{t("problem.safe")}</p>
      </div>
      {retry && (
        <Button variant="quiet" onClick={() => retry()}>
          {t("problem.retry")}
        </Button>
      )}
    </div>
  );
}
