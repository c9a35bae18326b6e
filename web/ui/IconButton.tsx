import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Tooltip } from "./Tooltip.tsx";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label"> {
  /** What it does: its accessible name and its tooltip. */
  label: string;
  children: ReactNode;
}

/** A round button that shows only an icon. */
export function IconButton({ label, children, className, type = "button", ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type={type}
        aria-label={label}
        className={classNames(
          "inline-grid size-11 shrink-0 cursor-pointer place-content-center rounded-full text-current",
          "transition-colors duration-200 ease-out hover:bg-wash hover:text-deep disabled:cursor-not-allowed disabled:opacity-50",
          className,
        )}
        {...rest}
      >
        {children}
      </button>
    </Tooltip>
  );
}
