import { lazy, Suspense, useSyncExternalStore } from "react";
import type { Toast } from "./toast-queue.ts";
import { onToasts, shownToasts, showToast } from "./toast-store.ts";

const ToastArea = lazy(() => import("./ToastArea.tsx").then(({ ToastArea }) => ({ default: ToastArea })));

/** Tells a person that what they did has happened, or has not; replaces what was said before. */
export const toast = (given: Toast) => showToast(given);

/** The notification area; `now` has it stand there before the first toast, at the price of loading it. */
export function Toaster({ now }: { now?: boolean }) {
  const used = useSyncExternalStore(
    onToasts,
    () => shownToasts().length > 0,
    () => false,
  );
  return now || used ? (
    <Suspense>
      <ToastArea />
    </Suspense>
  ) : null;
}
