import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "./class-names.ts";
import { dismissed, removed, type ShownToast, TOAST_REMOVE_DELAY_MS, type Toast, withToast } from "./toast-queue.ts";

let toasts: ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: ShownToast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

function dismiss(id: number) {
  const closing = toasts.find((item) => item.id === id && item.open);
  change(dismissed(toasts, id));
  closing?.onClosed?.();
  setTimeout(() => change(removed(toasts, id)), TOAST_REMOVE_DELAY_MS);
}

/** Tells the person something they did has happened, or has not; replaces what was said before. */
export function toast(given: Toast) {
  lastId += 1;
  const replaced = toasts.filter((item) => item.open);
  change(withToast(toasts, { ...given, id: lastId, open: true }));
  for (const item of replaced) item.onClosed?.();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The notification area: at the top on phones, bottom right on wider screens; F8 goes there (Spec §9). */
export function Toaster() {
  const { t } = useTranslation("common");
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <Radix.Provider duration={5000} swipeThreshold={50} label={t("toast.label")}>
      {shown.map((item) => (
        <ToastCard key={item.id} toast={item} />
      ))}
      <Radix.Viewport
        hotkey={["F8"]}
        label={t("toast.area", { hotkey: "{hotkey}" })}
        // An open window makes the page under it deaf to the pointer; an undo must still be heard.
        className="pointer-events-none fixed inset-x-0 top-0 z-60 m-0 grid list-none gap-2 p-4 outline-none sm:inset-x-auto sm:top-auto sm:right-0 sm:bottom-0 sm:w-104"
      />
    </Radix.Provider>
  );
}

const tones = { info: "border-s-teal", success: "border-s-deep", problem: "border-s-danger" };

function ToastCard({ toast: { id, open, title, description, tone = "info", action } }: { toast: ShownToast }) {
  const { t } = useTranslation("common");
  return (
    <Radix.Root
      open={open}
      onOpenChange={(stillOpen) => !stillOpen && dismiss(id)}
      type={tone === "problem" ? "foreground" : "background"}
      className={classNames(
        "toast pointer-events-auto flex items-start gap-3 rounded-2xl border border-s-4 border-line bg-raised p-4 text-ink shadow-lifted",
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
