import { createStore } from "../lib/browser/store.ts";
import {
  dismissed,
  type ShownToast,
  TOAST_REMOVE_DELAY_MS,
  type Toast,
  withoutToast,
  withToast,
} from "./toast-queue.ts";

export const toasts = createStore<readonly ShownToast[]>([]);
let lastId = 0;

export function showToast(toast: Toast) {
  lastId += 1;
  const replaced = toasts.get().filter(({ open }) => open);
  toasts.set(withToast(toasts.get(), { ...toast, id: lastId, open: true }));
  for (const { onClosed } of replaced) onClosed?.();
}

export function dismissToast(id: number) {
  const closing = toasts.get().find((toast) => toast.id === id && toast.open);
  toasts.set(dismissed(toasts.get(), id));
  closing?.onClosed?.();
  setTimeout(() => toasts.set(withoutToast(toasts.get(), id)), TOAST_REMOVE_DELAY_MS);
}
