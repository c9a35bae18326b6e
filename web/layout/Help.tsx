import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { openPanel, showPanel } from "../lib/browser/side-panel.ts";
import { useStore } from "../lib/browser/store.ts";
import { withQueries } from "../lib/request/queries.ts";
import { paths } from "../paths.ts";
import { CornerButton } from "../ui/CornerButton.tsx";

const HelpPanel = lazyPart(withQueries(() => import("./HelpPanel.tsx")));

/** Help on every page: a button in the corner, where the page has one, and the panel that it opens. */
export function Help({ button }: { button: boolean }) {
  const { t } = useTranslation("layout");
  const { pathname } = useLocation();
  const open = useStore(openPanel) === "help";
  if (pathname === paths.help()) return null;
  return (
    <>
      {button && (
        <aside aria-label={t("help")}>
          <CornerButton label={t("help")} onClick={() => showPanel("help")}>
            <span aria-hidden className="font-serif text-2xl font-medium">
              ?
            </span>
          </CornerButton>
        </aside>
      )}
      {open && (
        <Suspense>
          <HelpPanel />
        </Suspense>
      )}
    </>
  );
}
