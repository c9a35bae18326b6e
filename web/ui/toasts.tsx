import { lazy, Suspense } from "react";
import { useStore } from "../lib/browser/store.ts";
import type { Toast } from "./toast-queue.ts";
import { showToast, toasts } from "./toast-store.ts";

const ToastArea = lazy(() => import("./ToastArea.tsx").then(({ ToastArea }) => ({ default: ToastArea })));

/** Tells a person that what they did has happened, or has not; replaces what was said before. */
export const toast = (given: Toast) => showToast(given);

/** The notification area; `now` shows it before the first toast, at the price of loading it. */
export function Toaster({ now }: { now?: boolean }) {
  const used = useStore(toasts).length > 0;
  return now || used ? (
    <Suspense>
      <ToastArea />
    </Suspense>
  ) : null;
}
