import { useId } from "react";

interface RadioLinesProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Renders a choice of one, each on a line of its own. The whole line is clickable. */
export function RadioLines<Value extends string>({ label, options, value, onChange }: RadioLinesProps<Value>) {
  const name = useId();
  return (
    <fieldset className="m-0 grid gap-1">
      <legend className="pb-1 font-semibold">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-2 hover:bg-wash"
        >
          <input
            type="radio"
            name={name}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            className="size-5 shrink-0 accent-deep"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
