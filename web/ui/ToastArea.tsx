import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { useStore } from "../lib/browser/store.ts";
import { classNames } from "./class-names.ts";
import { useAboveRoom } from "./room-below.ts";
import type { ShownToast } from "./toast-queue.ts";
import { dismissToast, toasts } from "./toast-store.ts";

/** The area of toasts: at the top on phones, bottom right on wider screens. F8 moves the focus to it (Spec §9). */
export function ToastArea() {
  const { t } = useTranslation("common");
  const visible = useStore(toasts);
  // An open dialog hides the elements that the page has then from screen readers, and all later ones within them. Beside
  // them, the area can also appear later.
  return createPortal(
    <Radix.Provider duration={5000} swipeThreshold={50} label={t("toast.label")}>
      {visible.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
      <Radix.Viewport
        ref={overWindows}
        // An open dialog hides elements without `aria-live` from screen readers. "off" avoids a second announcement.
        aria-live="off"
        hotkey={["F8"]}
        label={t("toast.area", { hotkey: "{hotkey}" })}
        style={useAboveRoom()}
        // An open dialog disables pointer events of the page. Toasts enable their own, so that undo stays clickable.
        className="pointer-events-none fixed inset-x-0 top-0 z-60 m-0 grid list-none gap-2 p-4 sm:inset-x-auto sm:top-auto sm:right-0 sm:bottom-(--below) sm:w-104"
      />
    </Radix.Provider>,
    document.body,
  );
}

const tones = { info: "border-s-teal", success: "border-s-deep", problem: "border-s-danger" };

const CLOCK_CHECK_MS = 500;

/**
 * Works around a library bug. Toast timers pause while the pointer or focus is in the area. When a toast is closed by
 * its own button, the library misses that both have left, and the next toast would never close.
 */
function useRunningClock(open: boolean) {
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => {
      const area = card.current?.closest("[role=region]");
      if (!area?.matches(":hover, :focus-within")) area?.dispatchEvent(new FocusEvent("focusout"));
    }, CLOCK_CHECK_MS);
    return () => clearInterval(timer);
  }, [open]);
  return card;
}

function ToastCard({ toast: { id, open, title, description, tone = "info", action } }: { toast: ShownToast }) {
  const { t } = useTranslation("common");
  const card = useRunningClock(open);
  return (
    <Radix.Root
      ref={card}
      open={open}
      onOpenChange={(stillOpen) => !stillOpen && dismissToast(id)}
      type={tone === "problem" ? "foreground" : "background"}
      className={classNames(
        "toast pointer-events-auto flex items-start gap-3 rounded-2xl border border-s-4 border-line bg-raised p-3 ps-4 text-ink shadow-lifted",
        tones[tone],
      )}
    >
      <div className="grid grow gap-0.5 py-2">
        <Radix.Title className="font-semibold">{title}</Radix.Title>
        {description && <Radix.Description className="text-sm text-ink-soft">{description}</Radix.Description>}
      </div>
      {action && (
        <Radix.Action
          altText={action.label}
          onClick={action.onSelect}
          className="min-h-11 cursor-pointer rounded-full px-4 font-semibold text-deep hover:bg-wash"
        >
          {action.label}
        </Radix.Action>
      )}
      <Radix.Close
        aria-label={t("close")}
        className="grid size-11 shrink-0 cursor-pointer place-content-center rounded-full text-ink-soft hover:bg-wash hover:text-deep"
      >
        <X aria-hidden className="size-5" />
      </Radix.Close>
    </Radix.Root>
  );
}

/**
 * A ref for an element above dialogs that may take the focus while one is open. A dialog's focus scope listens on the
 * document and takes the focus back, so focus events of this element are stopped at the body.
 */
function overWindows(area: HTMLElement | null) {
  if (!area) return;
  const keep = (event: FocusEvent) => {
    const holder = event.type === "focusin" ? event.target : event.relatedTarget;
    if (holder instanceof Node && area.contains(holder)) event.stopPropagation();
  };
  document.body.addEventListener("focusin", keep);
  document.body.addEventListener("focusout", keep);
  return () => {
    document.body.removeEventListener("focusin", keep);
    document.body.removeEventListener("focusout", keep);
  };
}
