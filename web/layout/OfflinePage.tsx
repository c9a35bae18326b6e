import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useStore } from "../lib/browser/store.ts";
import { dateText, localeOf } from "../lib/formatting/locale.ts";
import { copiesOfPerson, copyCaches } from "../lib/offline/copies.ts";
import { listPages, type PageCopy } from "../lib/offline/copy-store.ts";
import { goOffline } from "../lib/offline/offline-mode.ts";
import { offline } from "../lib/offline/offline-state.ts";
import { useSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";

/** Says that this page, or with `missing` this memory, needs a network, and lists what can be read without one. */
export default function OfflinePage({ missing = false }: { missing?: boolean }) {
  const { t, i18n } = useTranslation("offline");
  const [pages, setPages] = useState<PageCopy[]>();
  const session = useSession();
  const userId = session.state === "signed in" ? session.user.id : undefined;
  const title = t(missing ? "missingTitle" : "title");
  usePageTitle(title);

  useEffect(() => {
    void listed(userId).then(setPages, () => setPages([]));
  }, [userId]);

  const isOffline = useStore(offline);
  const [wasOffline, setWasOffline] = useState(isOffline);
  useEffect(() => {
    goOffline();
    setWasOffline(true);
  }, []);
  useEffect(() => {
    if (wasOffline && !isOffline) location.reload();
  }, [wasOffline, isOffline]);

  return (
    <div className="mx-auto grid w-full max-w-2xl gap-8 px-4 pt-20 pb-12">
      <div className="grid gap-3">
        <h1 className="font-serif text-3xl leading-tight sm:text-4xl">{title}</h1>
        <p className="text-lg text-ink-soft">{t(missing ? "missingText" : "text")}</p>
        {location.pathname === paths.add() && <p className="text-lg text-ink-soft">{t("receivedText")}</p>}
      </div>
      {pages && pages.length > 0 && (
        <section className="grid gap-3">
          <h2 className="font-serif text-2xl">{t("kept")}</h2>
          <ul className="grid gap-3">
            {pages.map(({ path, title, at }) => (
              <li key={path}>
                <Link
                  to={path}
                  className="grid min-h-11 gap-0.5 rounded-2xl border border-line bg-raised px-5 py-4 text-ink no-underline hover:border-deep"
                >
                  <span dir="auto" className="font-serif text-xl wrap-anywhere">
                    {title}
                  </span>
                  <span className="text-sm text-ink-soft">
                    {t("readOn", { date: dateText(new Date(at).toISOString(), localeOf(i18n.language)) })}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** The copies of the signed-in person and of all links of this device, each page once. */
async function listed(userId: string | undefined): Promise<PageCopy[]> {
  const own = userId === undefined ? "" : copiesOfPerson(userId);
  const names = (await copyCaches()).filter((name) => name === own || name.includes("-link-"));
  const pages = (await Promise.all(names.map(listPages))).flat();
  return [...new Map(pages.map((page) => [page.path, page])).values()].sort((a, b) => b.at - a.at);
}
