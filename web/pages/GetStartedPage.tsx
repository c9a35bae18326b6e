import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { rememberRedirect } from "../lib/session/redirect-url.ts";
import { useSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { ProductPicture } from "../ui/ProductPicture.tsx";

const CHOICES = [
  { name: "life", to: paths.newMemory("tribute"), account: true },
  { name: "day", to: paths.newMemory("event"), account: true },
  { name: "card", to: paths.shop(), account: false },
  { name: "look", to: paths.home(), account: false },
] as const;

/** `/get-started`: asks what to preserve and opens the matching page, after the registration if it is required. */
export default function GetStartedPage() {
  const { t } = useTranslation("getStarted");
  const signedIn = useSession().state === "signed in";
  usePageTitle(t("title"));
  return (
    <div className="page-column grid gap-8 pt-8 pb-20 sm:pt-14">
      <div className="grid gap-3">
        <h1 className="font-serif text-4xl sm:text-5xl">{t("title")}</h1>
        <p className="max-w-prose text-lg text-ink-soft">{t("text")}</p>
      </div>
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {CHOICES.map(({ name, to, account }) => (
          <li key={name}>
            <Link
              to={account && !signedIn ? paths.register() : to}
              onClick={() => account && !signedIn && rememberRedirect(to)}
              className="relative grid h-full content-start gap-1 rounded-3xl border border-line bg-raised p-5 pr-14 text-ink no-underline transition-colors duration-200 ease-out hover:border-deep sm:p-6 sm:pr-16"
            >
              <span className="font-serif text-2xl">{t(`${name}.title`)}</span>
              <span className="text-ink-soft">{t(`${name}.text`)}</span>
              <ArrowRight
                aria-hidden
                className="absolute top-1/2 right-5 size-5 -translate-y-1/2 text-deep sm:right-6"
              />
            </Link>
          </li>
        ))}
      </ul>
      <section
        aria-labelledby="given"
        className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-12 gap-y-6 border-t border-line pt-8 sm:grid-cols-[minmax(0,1fr)_14rem]"
      >
        <div className="grid max-w-prose gap-2">
          <h2 id="given" className="font-serif text-2xl">
            {t("given.title")}
          </h2>
          <p className="text-ink-soft">{t("given.text")}</p>
        </div>
        <ProductPicture name="gate" className="w-56" />
      </section>
    </div>
  );
}
