import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { closePanel, panelOpener } from "../lib/browser/side-panel.ts";

/** A panel beside the page, which stays in use: at the right on wide screens, a sheet from below on phones. */
export function SidePanel({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation("common");
  const id = useId();
  const panel = useFocusWhileOpen();
  const onKeyDown = (event: KeyboardEvent) => {
    // What is open inside of it, as a menu, closes before it does.
    const inside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key === "Escape" && inside && !event.defaultPrevented) closePanel();
  };
  return createPortal(
    <div
      ref={panel}
      role="dialog"
      aria-labelledby={id}
      data-side-panel
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="fixed inset-x-0 bottom-0 z-35 flex max-h-[80dvh] flex-col rounded-t-3xl border border-line bg-raised text-ink shadow-lifted outline-none motion-safe:animate-rise sm:inset-x-auto sm:right-4 sm:bottom-[calc(1rem+var(--below,0px))] sm:max-h-[calc(100dvh-6rem-var(--below,0px))] sm:w-104 sm:rounded-3xl print:hidden"
    >
      <div className="flex items-center justify-between gap-4 border-b border-line py-2 ps-6 pe-3">
        <h2 id={id} className="font-serif text-2xl leading-tight">
          {title}
        </h2>
        <button
          type="button"
          aria-label={t("close")}
          onClick={closePanel}
          className="grid size-11 cursor-pointer place-content-center rounded-full hover:bg-wash hover:text-deep"
        >
          <X aria-hidden className="size-5" />
        </button>
      </div>
      <div className="overflow-y-auto overscroll-contain px-6 pt-5 pb-[max(1.5rem,env(safe-area-inset-bottom))]">
        {children}
      </div>
    </div>,
    document.body,
  );
}

/** Takes the focus where somebody has opened the panel just now, and gives it back as it closes. */
function useFocusWhileOpen() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const panel = ref.current;
    const opener = panelOpener;
    if (opener) panel?.focus({ preventScroll: true });
    return () => {
      // It is gone by now, and the focus with it, unless somebody had moved it to the page.
      if (document.activeElement !== document.body) return;
      const back = opener?.isConnected ? opener : document.querySelector("[data-corner]");
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    };
  }, []);
  return ref;
}
