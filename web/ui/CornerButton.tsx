import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface CornerButtonProps {
  label: string;
  onClick: () => void;
  /** Stands over the first one. */
  second?: boolean;
  children: ReactNode;
}

/** A round button at the lower right of the window. It loads nothing that a first page has no use for. */
export function CornerButton({ label, onClick, second, children }: CornerButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-haspopup="dialog"
      data-corner
      onClick={onClick}
      className={classNames(
        "corner fixed right-3 z-30 grid size-12 cursor-pointer place-content-center rounded-full border border-edge bg-raised text-deep shadow-lifted transition-[background-color,opacity] duration-200 ease-out hover:bg-wash sm:right-5 print:hidden",
        // Moved out of the way of what comes at the end of the window, which lays nothing out anew.
        "translate-y-[calc(-1*var(--below,0px))]",
        second ? "bottom-18 sm:bottom-20" : "bottom-3 sm:bottom-5",
      )}
    >
      {children}
    </button>
  );
}
