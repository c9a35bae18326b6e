import { useTranslation } from "react-i18next";
import type { totalsOf } from "./reply-totals.ts";

interface ReplyTotalsProps {
  totals: ReturnType<typeof totalsOf>;
  parts: readonly { id: string; title: string }[];
  /** For how many persons there are places; null for no limit. */
  places: number | null;
}

/** How many come, to what, and what they answered. */
export function ReplyTotals({ totals, parts, places }: ReplyTotalsProps) {
  const { t } = useTranslation("dayReplies");
  const figures = (["yes", "maybe", "waiting", "no", "open"] as const).filter(
    (state) => state === "yes" || totals[state] > 0,
  );
  return (
    <div className="grid gap-3">
      <ul className="m-0 flex list-none flex-wrap gap-x-6 gap-y-1 p-0">
        {figures.map((state) => (
          <li key={state}>
            <span className="font-serif text-2xl tabular-nums">{totals[state]}</span>{" "}
            {t(`host.totals.${state}`, { count: totals[state] })}
          </li>
        ))}
      </ul>
      {places !== null && <p>{t("host.totals.places", { taken: totals.yes, count: places })}</p>}
      {parts.length > 1 && (
        <ul className="m-0 grid list-none gap-1 p-0 text-ink-soft">
          {totals.parts.map(({ id, persons }) => (
            <li key={id} dir="auto" className="wrap-anywhere">
              {t("host.totals.part", {
                title: parts.find((part) => part.id === id)?.title ?? "",
                persons: t("host.persons", { count: persons }),
              })}
            </li>
          ))}
        </ul>
      )}
      {totals.questions.map(({ question, choices, texts }) => (
        <div key={question.id} className="grid gap-0.5">
          <p dir="auto" className="font-semibold wrap-anywhere">
            {question.text}
          </p>
          <ul className="m-0 grid list-none gap-0.5 p-0 text-ink-soft">
            {choices.map(({ choice, count }) => (
              <li key={choice} dir="auto" className="wrap-anywhere">
                {choice}: {count}
              </li>
            ))}
            {[...new Set(texts)].map((text) => (
              <li key={text} dir="auto" className="wrap-anywhere">
                {text}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
