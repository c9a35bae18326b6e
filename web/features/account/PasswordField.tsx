import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField, type TextFieldProps } from "../../ui/TextField.tsx";

/** A password field whose text can be shown. */
export function PasswordField({
  label,
  ...props
}: Omit<TextFieldProps, "label" | "type" | "end"> & { label?: string }) {
  const { t } = useTranslation("account");
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      label={label ?? t("password")}
      type={isShown ? "text" : "password"}
      end={
        <button
          type="button"
          aria-label={t("showPassword")}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="grid size-11 cursor-pointer place-content-center rounded-xl text-ink-soft hover:text-deep"
        >
          <Icon aria-hidden className="size-5" />
        </button>
      }
    />
  );
}
