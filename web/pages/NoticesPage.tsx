import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { MarkAllRead } from "../features/notices/MarkAllRead.tsx";
import { NoticeList } from "../features/notices/NoticeList.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useUser } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";

/** /notices: the person's notifications of the last six months. */
export default function NoticesPage() {
  const { t } = useTranslation("notices");
  const { id } = useUser();
  usePageTitle(t("title"));
  return (
    <div className="page-width pt-8 pb-16 sm:pt-12 [&>*]:max-w-3xl">
      <div className="grid justify-items-start gap-2 pb-6">
        <h1 className="font-serif text-4xl sm:text-5xl">{t("title")}</h1>
        <div className="-mx-4">
          <MarkAllRead userId={id} />
        </div>
      </div>
      <div className="-mx-3">
        <NoticeList userId={id} />
      </div>
      <p className="pt-8">
        <Button asChild variant="plain" className="-ms-5">
          <Link to={paths.noticeSettings()}>{t("settings.open")}</Link>
        </Button>
      </p>
    </div>
  );
}
