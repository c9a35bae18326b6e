import { classNames } from "./class-names.ts";

interface ProgressProps {
  /** From 0 to 1. */
  value: number;
  label: string;
  className?: string;
}

/** A progress bar. */
export function Progress({ value, label, className }: ProgressProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={classNames("h-2 w-full overflow-hidden rounded-full bg-line", className)}
    >
      <div
        className="h-full origin-left rounded-full bg-deep transition-transform duration-300 ease-out"
        style={{ transform: `scaleX(${percent / 100})` }}
      />
    </div>
  );
}
