import { useEffect, useState } from "react";
import { DateField } from "./DateField.tsx";
import { type DateText, type TypedDate, textOfDate, typedDate } from "./date-text.ts";

interface DateInputProps {
  label: string;
  hint?: string;
  error?: string;
  question?: string | undefined;
  value: TypedDate;
  onChange: (value: TypedDate) => void;
  onBlur?: () => void;
  exact?: boolean;
}

/** A date field whose value is the parsed date. Incomplete text stays in the field. */
export function DateInput({ value, onChange, ...field }: DateInputProps) {
  const [text, setText] = useState<DateText>(() => textOfDate(value));
  useEffect(() => {
    // The form was filled or emptied from outside.
    setText((text) => (typedDate(text) === value ? text : textOfDate(value)));
  }, [value]);
  const change = (changed: DateText) => {
    setText(changed);
    onChange(typedDate(changed));
  };
  return <DateField {...field} value={text} onChange={change} />;
}
