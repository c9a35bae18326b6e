import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { withQueries } from "../lib/request/queries.ts";
import { useSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Wordmark } from "../ui/Wordmark.tsx";
import { VisitorNav } from "./VisitorNav.tsx";

// Loaded lazily because it imports the data client, which visitors do not need.
const MemberNav = lazyPart(
  withQueries(async () => ({ default: (await import("./MemberNav.tsx")).MemberNav })),
  "nothing",
);

export function Header() {
  const { t } = useTranslation("layout");
  const session = useSession();
  return (
    // Invisible while it is the page's last part: the browser still reads it, and its end would move its beginning.
    <header className="last:*:invisible @container sticky top-0 z-30 h-(--header-height) print:hidden border-b border-line bg-paper/95 backdrop-blur-sm">
      <div className="page-width flex h-full items-center justify-between gap-3">
        <Link to={paths.start()} className="inline-flex min-h-11 items-center rounded-lg text-ink no-underline">
          <Wordmark short={session.state === "signed out" ? "on phones" : "with large text"} />
        </Link>
        <nav aria-label={t("navigation")} className="flex items-center gap-1 sm:gap-2">
          {session.state === "signed in" && (
            <Suspense>
              <MemberNav userId={session.user.id} />
            </Suspense>
          )}
          {session.state === "signed out" && <VisitorNav />}
        </nav>
      </div>
    </header>
  );
}
