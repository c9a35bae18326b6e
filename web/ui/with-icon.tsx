import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** What a button says, after its icon. Without one, a single child stays single, as `asChild` asks. */
export const withIcon = (Icon: LucideIcon | undefined, children?: ReactNode): ReactNode =>
  Icon ? (
    <>
      <Icon aria-hidden className="size-5 shrink-0" />
      {children}
    </>
  ) : (
    children
  );
