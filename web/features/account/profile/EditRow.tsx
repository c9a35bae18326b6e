import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";

interface EditRowProps {
  label: string;
  value: string;
  /** The label of the button that opens the form. */
  change: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Content below the value while the form is closed, e.g. a pending confirmation. */
  note?: ReactNode;
  /** The form that changes the value. */
  children: ReactNode;
}

/** A value of the profile, with a button that opens its form. */
export function EditRow({ label, value, change, open, onOpenChange, note, children }: EditRowProps) {
  const { t } = useTranslation("profile");
  return (
    <div className="grid gap-4">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="font-semibold">{label}</p>
          <p dir="auto" className="wrap-anywhere text-ink-soft">
            {value}
          </p>
        </div>
        <Button
          size="small"
          variant="quiet"
          className="shrink-0"
          aria-expanded={open}
          aria-label={`${open ? t("cancel") : change}: ${label}`}
          onClick={() => onOpenChange(!open)}
        >
          {open ? t("cancel") : change}
        </Button>
      </div>
      {open ? <div className="rounded-2xl bg-sunken p-5">{children}</div> : note}
    </div>
  );
}
