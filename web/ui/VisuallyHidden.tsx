import type { ReactNode } from "react";

/** Said by screen readers, seen by nobody. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
