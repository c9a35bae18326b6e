import { Progress as Radix } from "radix-ui";
import { classNames } from "./class-names.ts";

interface ProgressProps {
  /** From 0 to 1. */
  value: number;
  label: string;
  className?: string;
}

export function Progress({ value, label, className }: ProgressProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <Radix.Root
      value={percent}
      aria-label={label}
      className={classNames("h-2 w-full overflow-hidden rounded-full bg-line", className)}
    >
      <Radix.Indicator
        className="h-full origin-left rounded-full bg-deep transition-transform duration-300 ease-out"
        style={{ transform: `scaleX(${percent / 100})` }}
      />
    </Radix.Root>
  );
}
