import type { ReactNode } from "react";
import { classNames } from "../../ui/class-names.ts";

interface PictureProps {
  /** What the picture shows, for those who do not see it. */
  label: string;
  children: ReactNode;
  className?: string;
}

/** A frame for a small picture of the product, drawn with the product's own parts. */
export function Picture({ label, children, className }: PictureProps) {
  return (
    <div
      role="img"
      aria-label={label}
      className={classNames(
        "pointer-events-none relative grid h-96 overflow-hidden rounded-3xl border border-line bg-sunken p-5 select-none sm:p-6",
        className,
      )}
    >
      {children}
    </div>
  );
}
