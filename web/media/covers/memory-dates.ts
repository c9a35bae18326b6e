import { useTranslation } from "react-i18next";
import type { ApproximateDate } from "../../../shared/approximate-date.ts";
import type { MemoryDays } from "../../../shared/memory-sky.ts";
import { writtenDate } from "../../../shared/written-date.ts";
import type { Memory } from "../../data/memories.queries.ts";
import { dateText, localeOf } from "../../lib/formatting/locale.ts";

/** How a memory's dates are said; `first` and `last` are already written out. */
export type SaidDates =
  | { says: "life"; first: string; last: string }
  | { says: "born"; first: string }
  | { says: "died"; last: string }
  | { says: "on"; first: string };

/** What there is to say of a memory's dates, or undefined when none is known. */
export function saidDates(memory: MemoryDays, language: string): SaidDates | undefined {
  const alone = memory.kind === "event" || (memory.birth_date !== null && memory.passing_date !== null);
  const written = (date: ApproximateDate | null) =>
    date ? writtenDate(date, language, { afterVerb: !alone }) : undefined;
  if (memory.kind === "event") {
    const first = written(memory.event_date);
    return first ? { says: "on", first } : undefined;
  }
  const [first, last] = [written(memory.birth_date), written(memory.passing_date)];
  if (first && last) return { says: "life", first, last };
  if (first) return { says: "born", first };
  return last ? { says: "died", last } : undefined;
}

/** Says a memory's dates, or else when it was created: in a list to choose from it tells two of the same name apart. */
export function useDatesOrCreated() {
  const { t, i18n } = useTranslation("memories");
  return (memory: MemoryDays & Pick<Memory, "created_at">) => {
    const said = saidDates(memory, i18n.language);
    if (said) return t(`dates.${said.says}`, { ...said });
    return t("list.created", { date: dateText(memory.created_at, localeOf(i18n.language)) });
  };
}
