import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { SkyMessage } from "./SkyMessage.tsx";

/** Renders the message for unknown paths. */
export function NotFound() {
  const { t } = useTranslation("layout");
  usePageTitle(t("notFound.title"));
  return (
    <SkyMessage title={t("notFound.title")} text={t("notFound.text")}>
      <Button asChild>
        <Link to={paths.start()}>{t("goHome")}</Link>
      </Button>
    </SkyMessage>
  );
}
