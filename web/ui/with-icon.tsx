import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** A button's content after its icon. Without an icon the child stays single, as `asChild` requires. */
export const withIcon = (Icon: LucideIcon | undefined, children?: ReactNode): ReactNode =>
  Icon ? (
    <>
      <Icon aria-hidden className="size-5 shrink-0" />
      {children}
    </>
  ) : (
    children
  );
