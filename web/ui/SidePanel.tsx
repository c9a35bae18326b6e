import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { useCloseOnBack } from "../lib/browser/close-on-back.ts";
import { PartBoundary } from "../lib/browser/part-boundary.ts";
import { closePanel, focusOpener, wasAskedFor } from "../lib/browser/side-panel.ts";
import { classNames } from "./class-names.ts";
import { useAboveRoom } from "./room-below.ts";

interface SidePanelProps {
  title: ReactNode;
  /** When false, it is rendered as part of the page. Typed text and focus survive the change. */
  open: boolean;
  children: ReactNode;
}

/** A non-modal panel: at the right of the page on wide screens, a sheet from below on phones. */
export function SidePanel({ title, open, children }: SidePanelProps) {
  const { t } = useTranslation("common");
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open && wasAskedFor()) panel.current?.focus({ preventScroll: true });
  }, [open]);
  const close = () => {
    flushSync(closePanel);
    focusOpener();
  };
  useCloseOnBack(open, close);
  const onKeyDown = (event: KeyboardEvent) => {
    // Escape first closes what is open inside the panel, e.g. a menu.
    const inside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (open && event.key === "Escape" && inside && !event.defaultPrevented) close();
  };
  return (
    <section
      ref={panel}
      role={open ? "dialog" : undefined}
      aria-labelledby={id}
      data-side-panel={open || undefined}
      tabIndex={open ? -1 : undefined}
      onKeyDown={onKeyDown}
      style={useAboveRoom()}
      className={classNames(
        "print:hidden",
        open
          ? "fixed inset-x-0 bottom-0 z-35 flex max-h-[80dvh] flex-col rounded-t-3xl border border-line bg-raised text-ink shadow-lifted outline-none motion-safe:animate-rise sm:inset-x-auto sm:right-4 sm:bottom-[calc(1rem+var(--below))] sm:max-h-[calc(100dvh-6rem-var(--below))] sm:w-104 sm:rounded-3xl"
          : "grid grid-cols-[minmax(0,1fr)] gap-5",
      )}
    >
      <div className={open ? "flex items-center justify-between gap-4 border-b border-line py-2 ps-6 pe-3" : undefined}>
        <h2 id={id} className={classNames("font-serif text-2xl", !open && "sm:text-3xl")}>
          {title}
        </h2>
        {open && (
          <button
            type="button"
            aria-label={t("close")}
            onClick={close}
            className="grid size-11 shrink-0 cursor-pointer place-content-center rounded-full hover:bg-wash hover:text-deep"
          >
            <X aria-hidden className="size-5" />
          </button>
        )}
      </div>
      <div
        className={
          open ? "overflow-y-auto overscroll-contain px-6 pt-5 pb-[max(1.5rem,env(safe-area-inset-bottom))]" : undefined
        }
      >
        <PartBoundary>{children}</PartBoundary>
      </div>
    </section>
  );
}
