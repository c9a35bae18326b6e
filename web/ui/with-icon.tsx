import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** Adds an icon before a button's content. Without an icon it returns the single child, as `asChild` requires. */
export const withIcon = (Icon: LucideIcon | undefined, children?: ReactNode): ReactNode =>
  Icon ? (
    <>
      <Icon aria-hidden className="size-5 shrink-0" />
      {children}
    </>
  ) : (
    children
  );
