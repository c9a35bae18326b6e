export interface Toast {
  title: string;
  description?: string;
  tone?: "info" | "success" | "problem";
  action?: { label: string; onSelect: () => void };
  /** Called once when it is out of sight, whether it was closed, ran out or was replaced: its action is gone then. */
  onClosed?: () => void;
}

export interface ShownToast extends Toast {
  id: number;
  open: boolean;
}

/** Spec §4: at most one is visible, and a dismissed one is kept long after it has gone from sight. */
export const TOAST_LIMIT = 1;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;

/** The toasts after a new one has come: the newest replaces the old. */
export const withToast = (toasts: readonly ShownToast[], toast: ShownToast): ShownToast[] =>
  [toast, ...toasts].slice(0, TOAST_LIMIT);

/** The toasts after one has been closed; it stays in the list so that it can leave the screen in its own time. */
export const dismissed = (toasts: readonly ShownToast[], id: number): ShownToast[] =>
  toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast));

/** The toasts without the one whose delay has run out. */
export const removed = (toasts: readonly ShownToast[], id: number): ShownToast[] =>
  toasts.filter((toast) => toast.id !== id);
