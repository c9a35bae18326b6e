import type { LucideIcon } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { ON_COVER } from "./on-cover.ts";
import { withIcon } from "./with-icon.tsx";

export interface ButtonProps extends ComponentProps<"button"> {
  variant?: "primary" | "quiet" | "danger" | "plain" | "cover" | "sky";
  size?: "medium" | "large" | "small";
  /** An icon before the text. */
  icon?: LucideIcon;
  /** Renders the single child, e.g. a link, with the button's style. */
  asChild?: boolean;
}

const variants = {
  primary: "bg-deep text-on-deep shadow-soft hover:bg-deep-hover",
  quiet: "bg-raised text-ink border border-edge hover:border-deep hover:text-deep",
  danger: "bg-danger text-on-danger hover:bg-danger-hover",
  plain: "text-deep hover:bg-wash",
  cover: ON_COVER,
  // For the sky of the current hour, in both themes.
  sky: "bg-[#0a4f4b] text-white outline-night shadow-soft hover:bg-night dark-sky:bg-teal dark-sky:text-night dark-sky:outline-white dark-sky:hover:bg-white",
};
const sizes = {
  small: "min-h-11 px-4 text-sm",
  medium: "min-h-11 px-5 text-base",
  large: "min-h-14 px-8 text-lg",
};

export function Button({
  variant = "primary",
  size = "medium",
  asChild,
  icon,
  className,
  type,
  children,
  ...rest
}: ButtonProps) {
  const Element = asChild ? Slot.Root : "button";
  return (
    <Element
      type={asChild ? undefined : (type ?? "button")}
      className={classNames(
        "inline-flex cursor-pointer items-center justify-center gap-2 rounded-full py-1.5 leading-tight font-semibold no-underline",
        "transition-colors duration-200 ease-out disabled:cursor-not-allowed disabled:opacity-60",
        variants[variant],
        sizes[size],
        className,
      )}
      {...rest}
    >
      {withIcon(icon, children)}
    </Element>
  );
}
