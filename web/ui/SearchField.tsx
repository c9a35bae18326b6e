import { Search, X } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "./class-names.ts";
import { RoundButton } from "./RoundButton.tsx";

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
  /** Whether the page or the dialog begins in it. */
  begins?: boolean;
}

/** A search field for a list. Its label is visible only as the placeholder. */
export function SearchField({ label, value, onChange, className, begins }: SearchFieldProps) {
  const { t } = useTranslation("common");
  const id = useId();
  return (
    <search className={classNames("relative block", className)}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search aria-hidden className="pointer-events-none absolute start-4 top-3.5 size-5 text-ink-soft" />
      <input
        id={id}
        data-begin-here={begins || undefined}
        // biome-ignore lint/a11y/noAutofocus: the page has no other purpose than this field
        autoFocus={begins}
        dir="auto"
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={200}
        placeholder={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="min-h-12 w-full rounded-xl border border-edge bg-raised ps-12 pe-13 text-base text-ink transition-colors duration-200 ease-out placeholder:text-ink-soft hover:border-deep"
      />
      {value && (
        <RoundButton
          icon={X}
          label={t("pages.clear")}
          onClick={() => onChange("")}
          className="absolute end-0.5 top-0.5"
        />
      )}
    </search>
  );
}
