import { dismissed, removed, type ShownToast, TOAST_REMOVE_DELAY_MS, type Toast, withToast } from "./toast-queue.ts";

let toasts: ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: ShownToast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

export const shownToasts = (): ShownToast[] => toasts;

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function showToast(toast: Toast) {
  lastId += 1;
  const replaced = toasts.filter(({ open }) => open);
  change(withToast(toasts, { ...toast, id: lastId, open: true }));
  for (const { onClosed } of replaced) onClosed?.();
}

export function dismissToast(id: number) {
  const closing = toasts.find((toast) => toast.id === id && toast.open);
  change(dismissed(toasts, id));
  closing?.onClosed?.();
  setTimeout(() => change(removed(toasts, id)), TOAST_REMOVE_DELAY_MS);
}
