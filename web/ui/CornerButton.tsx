import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { useAboveRoom } from "./room-below.ts";

interface CornerButtonProps {
  label: string;
  onClick: () => void;
  /** Placed above the first button. */
  second?: boolean;
  children: ReactNode;
}

/**
 * A round button at the lower right of the window. Phones have none: it would cover the page. Without a tooltip, whose
 * code first pages do not load.
 */
export function CornerButton({ label, onClick, second, children }: CornerButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-haspopup="dialog"
      data-corner
      onClick={onClick}
      style={useAboveRoom()}
      className={classNames(
        "corner fixed right-5 z-30 grid size-12 max-sm:hidden cursor-pointer place-content-center rounded-full border border-edge bg-raised text-deep shadow-lifted transition-colors duration-200 ease-out hover:bg-wash print:hidden",
        // Moves above elements at the window's lower edge by a transform, which causes no layout.
        "translate-y-[calc(-1*var(--below))]",
        second ? "bottom-20" : "bottom-5",
      )}
    >
      {children}
    </button>
  );
}
