import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { closePanel, openPanel, showPanel } from "../lib/browser/side-panel.ts";
import { useStore } from "../lib/browser/store.ts";
import { withQueries } from "../lib/request/queries.ts";
import { CornerButton } from "../ui/CornerButton.tsx";

const HelpPanel = lazyPart(
  withQueries(() => import("./HelpPanel.tsx")),
  "over the page",
);

/** Renders the help panel and, on pages with `button`, the button in the corner that opens it. */
export default function HelpCorner({ button }: { button: boolean }) {
  const { t } = useTranslation("layout");
  const { pathname } = useLocation();
  const open = useStore(openPanel) === "help";
  // Closes the panel when another page opens, which it would cover.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a path is what matters
  useEffect(
    () => () => {
      if (openPanel.get() === "help") closePanel();
    },
    [pathname],
  );
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
