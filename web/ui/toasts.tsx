import { lazy, Suspense } from "react";
import { useStore } from "../lib/browser/store.ts";
import type { Toast } from "./toast-queue.ts";
import { showToast, toasts } from "./toast-store.ts";

const ToastArea = lazy(() => import("./ToastArea.tsx").then(({ ToastArea }) => ({ default: ToastArea })));

/** Shows a toast, e.g. the result of an action. Replaces the current one. */
export const toast = (given: Toast) => showToast(given);

/** The notification area. It is loaded with the first toast, or immediately with `now`. */
export function Toaster({ now }: { now?: boolean }) {
  const used = useStore(toasts).length > 0;
  return now || used ? (
    <Suspense>
      <ToastArea />
    </Suspense>
  ) : null;
}
