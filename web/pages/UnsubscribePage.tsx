import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { addressIn } from "../../shared/unsubscribe.ts";
import { useUnsubscribe } from "../features/people/unsubscribing.queries.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { FunctionRefusal } from "../lib/request/call-function.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";

/** `/unsubscribe?token=…`: a button stops emails to an address. Opening the page changes nothing. */
export default function UnsubscribePage() {
  const { t } = useTranslation("people");
  const [query] = useSearchParams();
  const token = query.get("token") ?? "";
  const email = addressIn(token);
  const change = useUnsubscribe(token);
  usePageTitle(t("unsubscribe.title"));
  const refused = change.error instanceof FunctionRefusal && change.error.status === 400;
  if (email === undefined || refused) {
    return (
      <Empty picture="email" page title={t("unsubscribe.invalid")} text={t("unsubscribe.invalidText")}>
        <Button asChild variant="quiet">
          <Link to={paths.start()}>{t("unsubscribe.home")}</Link>
        </Button>
      </Empty>
    );
  }
  const done = change.data?.unsubscribed === true;
  const title = done ? t("unsubscribe.done", { email }) : t("unsubscribe.title");
  const text = done
    ? t("unsubscribe.doneText")
    : `${change.data ? t("unsubscribe.back", { email }) : t("unsubscribe.ask", { email })} ${t("unsubscribe.askText")}`;
  return (
    <Empty picture="email" page title={title} text={text}>
      {change.isError && (
        <p role="alert" className="text-danger-text">
          {t("unsubscribe.failed")}
        </p>
      )}
      <Button
        variant={done ? "quiet" : "primary"}
        aria-busy={change.isPending}
        onClick={() => !change.isPending && change.mutate(!done)}
      >
        {done ? t("unsubscribe.again") : t("unsubscribe.action")}
      </Button>
    </Empty>
  );
}
