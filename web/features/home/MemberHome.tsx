import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { dayPart } from "../../lib/formatting/day-part.ts";
import type { CurrentUser } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Sky } from "../../ui/Sky.tsx";

/** The home page of signed-in people: a greeting under the current sky, and two links. */
export function MemberHome({ user }: { user: CurrentUser }) {
  const { t } = useTranslation("home");
  const now = useMinute();
  usePageTitle(t("member.title"));
  return (
    <>
      <section className="relative isolate grid min-h-80 content-start overflow-hidden text-on-sky sm:min-h-112">
        <Sky tall seed={user.id} className="absolute inset-0 -z-10" />
        <div className="absolute inset-0 -z-10 bg-sky-veil" />
        <div className="page-width pt-12 pb-8 sm:pt-20">
          <h1 className="font-serif text-4xl leading-tight sm:text-6xl">
            {user.fullName
              ? t(`member.named.${dayPart(now.getHours())}`, { name: user.fullName })
              : t(`member.greeting.${dayPart(now.getHours())}`)}
          </h1>
        </div>
      </section>
      <div className="page-width flex flex-wrap gap-3 py-10">
        <Button asChild size="large">
          <Link to={paths.start()}>{t("member.memories")}</Link>
        </Button>
        <Button asChild size="large" variant="quiet">
          <Link to={paths.newMemory()}>{t("member.create")}</Link>
        </Button>
      </div>
    </>
  );
}
