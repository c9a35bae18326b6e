import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { useStopNotices } from "../features/notices/stop-notices.queries.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";

/** `/notices/stop?token=…`: a button stops notification emails. Opening the page changes nothing. */
export default function StopNoticesPage() {
  const { t } = useTranslation("notices");
  const [query] = useSearchParams();
  const change = useStopNotices(query.get("token") ?? "");
  usePageTitle(t("stop.title"));
  const stopped = change.data?.stopped === true;
  return (
    <Empty
      picture="email"
      page
      title={stopped ? t("stop.done") : t("stop.title")}
      text={stopped ? t(`stop.doneText.${change.data?.about ?? "all"}`) : t("stop.text")}
    >
      {change.isError && (
        <p role="alert" className="text-danger-text">
          {t("stop.failed")}
        </p>
      )}
      <Button
        variant={stopped ? "quiet" : "primary"}
        aria-busy={change.isPending}
        onClick={() => !change.isPending && change.mutate(!stopped)}
      >
        {stopped ? t("stop.again") : t("stop.action")}
      </Button>
      <Button asChild variant="plain">
        <Link to={paths.noticeSettings()}>{t("settings.open")}</Link>
      </Button>
    </Empty>
  );
}
