import { type ComponentProps, type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";

interface MemorySelectProps extends ComponentProps<"select"> {
  hint: string;
  /** Above the list, where it is long. */
  search?: ReactNode;
}

/** The list of memories that a card can open, which begins with none; its options are given as children. */
export function MemorySelect({ hint, search, children, ...rest }: MemorySelectProps) {
  const { t } = useTranslation("cards");
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {t("words.memory")}
      </label>
      <p id={`${id}-hint`} className="text-sm text-ink-soft">
        {hint}
      </p>
      {search}
      <select
        id={id}
        aria-describedby={`${id}-hint`}
        className="min-h-12 w-full min-w-0 rounded-xl border border-edge bg-raised px-3 text-base text-ink transition-colors duration-200 ease-out hover:border-deep disabled:opacity-70"
        {...rest}
      >
        <option value="">{t("words.memoryNone")}</option>
        {children}
      </select>
    </div>
  );
}
