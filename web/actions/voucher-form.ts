import { useEffect, useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import { useVoucher } from "../lib/session/voucher.ts";
import type { CodeFormProps } from "../ui/CodeForm.tsx";

/** Text keys of the server's error messages (Spec §8). */
const SAID = {
  "No voucher code provided": "missing",
  "Invalid voucher code": "invalid",
  "Failed to validate voucher code": "failed",
} as const;

/** Returns the props of a `CodeForm` for vouchers: its texts and behaviour. */
export function useVoucherForm(): CodeFormProps {
  const { t } = useTranslation("vouchers");
  const { status, code, percentage, message, apply, clear, forms } = useVoucher();
  const refused = status === "invalid" && SAID[message as keyof typeof SAID] !== "failed";
  useLayoutEffect(() => {
    forms.current += 1;
    return () => {
      forms.current -= 1;
    };
  }, [forms]);
  // Clears the refusal when another page opens.
  useEffect(() => {
    if (!refused) return;
    const { pathname } = location;
    return () => {
      if (location.pathname !== pathname) clear();
    };
  }, [refused, clear]);
  return {
    label: t("label"),
    submit: status === "validating" ? t("checking") : t("apply"),
    code,
    busy: status === "validating",
    error: status === "invalid" ? t(SAID[message as keyof typeof SAID] ?? "failed") : undefined,
    effect:
      status === "valid"
        ? { text: t("held", { code: code?.toUpperCase(), percentage }), remove: t("remove") }
        : undefined,
    onApply: (code: string) => void apply(code),
    onRemove: clear,
  };
}
