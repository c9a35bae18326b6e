import { Suspense } from "react";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { useStore } from "../lib/browser/store.ts";
import type { Toast } from "./toast-queue.ts";
import { showToast, toasts } from "./toast-store.ts";

const ToastArea = lazyPart(async () => ({ default: (await import("./ToastArea.tsx")).ToastArea }), "nothing");

/** Shows a toast, e.g. the result of an action. Replaces the current one. */
export const toast = (message: Toast) => showToast(message);

/** The notification area. It is loaded with the first toast, or immediately with `now`. */
export function Toaster({ now }: { now?: boolean }) {
  const used = useStore(toasts).length > 0;
  return now || used ? (
    <Suspense>
      <ToastArea />
    </Suspense>
  ) : null;
}
