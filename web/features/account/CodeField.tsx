import { useTranslation } from "react-i18next";
import { TextField, type TextFieldProps } from "../../ui/TextField.tsx";

/** A field for a six-digit code; browsers suggest a code that has just arrived. */
export function CodeField(props: Omit<TextFieldProps, "label" | "type">) {
  const { t } = useTranslation("account");
  return (
    <TextField
      {...props}
      label={t("code")}
      inputMode="numeric"
      autoComplete="one-time-code"
      className="[&_input]:text-xl [&_input]:tracking-[0.3em]"
    />
  );
}
