import { useTranslation } from "react-i18next";
import { numberText } from "../../../../shared/number-text.ts";
import { Button } from "../../../ui/Button.tsx";
import { Empty } from "../../../ui/Empty.tsx";
import type { PhotoFiltering } from "./use-photo-filter.ts";

interface FilteredByProps extends PhotoFiltering {
  shown: number;
  all: number;
}

/** Says which photos the gallery shows and how many, with a button to show all; nothing while it shows all. */
export function FilteredBy({ filter, onFilter, shown, all }: FilteredByProps) {
  const { t, i18n } = useTranslation("gallery");
  const number = (count: number) => numberText(count, i18n.language);
  return (
    <div role="status" className="empty:hidden">
      {filter !== "all" && (
        <p className="flex flex-wrap items-center gap-x-4 text-ink-soft">
          <span>{t("filter.shown", { filter: t(`filter.${filter}`), count: number(shown), all: number(all) })}</span>
          <Button variant="plain" onClick={() => onFilter("all")}>
            {t("filter.end")}
          </Button>
        </p>
      )}
    </div>
  );
}

/** Replaces the gallery if the chosen filter shows no photo any more. */
export function NothingShown({ filter }: PhotoFiltering) {
  const { t } = useTranslation("gallery");
  return <Empty picture="photos" title={t("filter.none")} text={t(`filter.${filter}`)} />;
}
