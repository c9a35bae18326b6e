import { RadioGroup } from "radix-ui";
import type { ReactNode } from "react";

interface SegmentedControlProps<T extends string> {
  /** What is chosen between; its accessible name. */
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: { value: T; label: ReactNode; lang?: string }[];
}

/** A choice of one among a few, all in sight. */
export function SegmentedControl<T extends string>({ label, value, onChange, options }: SegmentedControlProps<T>) {
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value}
      onValueChange={(chosen) => onChange(chosen as T)}
      className="inline-flex rounded-full border border-line bg-sunken p-1"
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          lang={option.lang}
          className="inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-full px-4 font-semibold text-ink-soft transition-colors duration-200 ease-out hover:text-ink data-[state=checked]:bg-raised data-[state=checked]:text-deep data-[state=checked]:shadow-soft"
        >
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
