import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { ON_COVER } from "./on-cover.ts";
import { withIcon } from "./with-icon.tsx";

export interface RoundButtonProps extends Omit<ComponentProps<"button">, "aria-label"> {
  /** The accessible name. */
  label: string;
  /** `plain` on a surface, `cover` on a photo. */
  variant?: "plain" | "cover";
  icon?: LucideIcon;
}

const variants = { plain: "text-current hover:bg-wash hover:text-deep", cover: ON_COVER };

/** A round icon button. It has no tooltip, so that public pages need not load one. A child replaces `icon`. */
export function RoundButton({
  label,
  variant = "plain",
  icon,
  children,
  className,
  type = "button",
  ...rest
}: RoundButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      className={classNames(
        "inline-grid size-11 shrink-0 cursor-pointer place-content-center rounded-full",
        "transition-colors duration-200 ease-out disabled:cursor-not-allowed disabled:opacity-50",
        variants[variant],
        className,
      )}
      {...rest}
    >
      {withIcon(icon, children)}
    </button>
  );
}
