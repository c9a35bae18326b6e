import type { ComponentProps } from "react";

interface CheckLineProps extends Omit<ComponentProps<"input">, "type"> {
  label: string;
  /** One of several (radio) instead of any of them. */
  one?: boolean;
}

/** A checkbox or radio button with its label; the whole line is clickable. */
export const CheckLine = ({ label, one, ...input }: CheckLineProps) => (
  <label className="flex min-h-11 cursor-pointer items-center gap-3">
    <input type={one ? "radio" : "checkbox"} className="size-5 shrink-0 accent-deep" {...input} />
    <span dir="auto" className="min-w-0 wrap-anywhere">
      {label}
    </span>
  </label>
);
