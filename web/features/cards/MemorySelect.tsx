import type { ComponentProps, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../ui/class-names.ts";
import { boxOf, Field } from "../../ui/TextField.tsx";

interface MemorySelectProps extends ComponentProps<"select"> {
  hint: string;
  /** A search above a long list. */
  search?: ReactNode;
}

/** A list of memories that a card can open, beginning with none; `children` are its options. */
export function MemorySelect({ hint, search, children, ...rest }: MemorySelectProps) {
  const { t } = useTranslation("cards");
  return (
    <Field label={t("words.memory")} hint={hint}>
      {(control) => (
        <>
          {search}
          <select {...control} className={classNames("min-h-12 px-3 disabled:opacity-70", boxOf(undefined))} {...rest}>
            <option value="">{t("words.memoryNone")}</option>
            {children}
          </select>
        </>
      )}
    </Field>
  );
}
