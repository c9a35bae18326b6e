export interface Toast {
  title: string;
  description?: string;
  tone?: "info" | "success" | "problem";
  action?: { label: string; onSelect: () => void };
  /** Called once when the toast disappears with its action: it was closed, expired or was replaced. */
  onClosed?: () => void;
}

export interface ShownToast extends Toast {
  id: number;
  open: boolean;
}

/** Spec §4: at most one toast is visible, and a dismissed toast is kept long after it has disappeared. */
export const TOAST_LIMIT = 1;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;

/** Adds a toast, which replaces the old one. */
export const withToast = (toasts: readonly ShownToast[], toast: ShownToast): ShownToast[] =>
  [toast, ...toasts].slice(0, TOAST_LIMIT);

/** Closes a toast. It stays in the list, so that its closing animation can finish. */
export const dismissed = (toasts: readonly ShownToast[], id: number): ShownToast[] =>
  toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast));

/** Removes a toast after its delay. */
export const withoutToast = (toasts: readonly ShownToast[], id: number): ShownToast[] =>
  toasts.filter((toast) => toast.id !== id);
