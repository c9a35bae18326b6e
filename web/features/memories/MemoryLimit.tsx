import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";

/** Shown instead of the form for a new memory if the plan allows no more. `most` is the plan's limit. */
export function MemoryLimit({ most }: { most: number }) {
  const { t } = useTranslation("plans");
  return (
    <Empty
      picture="albums"
      page
      title={t("memoryLimit.title", { count: most })}
      text={t("memoryLimit.text", { count: most })}
    >
      <div className="flex flex-wrap justify-center gap-3">
        <Button asChild>
          <Link to={paths.plans()}>{t("memoryLimit.plans")}</Link>
        </Button>
        <Button asChild variant="quiet">
          <Link to={paths.start()}>{t("memoryLimit.memories")}</Link>
        </Button>
      </div>
    </Empty>
  );
}
