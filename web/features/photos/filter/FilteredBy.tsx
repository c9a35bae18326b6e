import { useTranslation } from "react-i18next";
import { numberText } from "../../../../shared/number-text.ts";
import type { PicturedPerson } from "../../../data/pictured.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { Button } from "../../../ui/Button.tsx";
import { Empty } from "../../../ui/Empty.tsx";
import type { PhotoFiltering } from "./use-photo-filter.ts";

interface Filtering extends PhotoFiltering {
  /** The people whose photos are shown; empty for all. */
  people: readonly PicturedPerson[];
}

interface FilteredByProps extends Filtering {
  /** Shows all photos. */
  onEnd: () => void;
  visibleCount: number;
  all: number;
}

/** Says which photos the gallery shows and how many, with a button to show all; nothing while it shows all. */
export function FilteredBy({ filter, people, onEnd, visibleCount, all }: FilteredByProps) {
  const { t, i18n } = useTranslation("gallery");
  const filterText = useFilterText({ filter, people });
  const number = (count: number) => numberText(count, i18n.language);
  return (
    <div role="status" className="empty:hidden">
      {filterText && (
        <p className="flex flex-wrap items-center gap-x-4 text-ink-soft">
          <span className="wrap-anywhere">
            {t("filter.shown", { filter: filterText, count: number(visibleCount), all: number(all) })}
          </span>
          <Button variant="plain" onClick={onEnd}>
            {t("filter.end")}
          </Button>
        </p>
      )}
    </div>
  );
}

/** Replaces the gallery if the chosen filter shows no photo any more. */
export function NothingShown(filtering: Pick<Filtering, "filter" | "people">) {
  const { t } = useTranslation("gallery");
  return <Empty picture="photos" title={t("filter.none")} text={useFilterText(filtering)} />;
}

/** The text of what is shown: "With Ada and Bob, Videos"; empty while all is shown. */
function useFilterText({ filter, people }: Pick<Filtering, "filter" | "people">): string {
  const { t, i18n } = useTranslation(["gallery", "pictured"]);
  const names = new Intl.ListFormat(localeOf(i18n.language)).format(people.map(({ name }) => name));
  const parts = [people.length > 0 && t("pictured:filter.with", { names }), filter !== "all" && t(`filter.${filter}`)];
  return parts.filter(Boolean).join(", ");
}
