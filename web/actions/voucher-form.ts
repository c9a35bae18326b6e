import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useVoucher } from "../lib/session/voucher.ts";

/** The texts for the error codes of Spec §8. */
const SAID = {
  "No voucher code provided": "missing",
  "Invalid voucher code": "invalid",
  "Failed to validate voucher code": "failed",
} as const;

/** The texts and behaviour of a voucher form: the props of a `CodeForm`. */
export function useVoucherForm() {
  const { t } = useTranslation("vouchers");
  const { status, code, percentage, message, apply, clear } = useVoucher();
  const refused = status === "invalid" && SAID[message as keyof typeof SAID] !== "failed";
  // The refusal is not carried to the next page.
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
    held:
      status === "valid"
        ? { text: t("held", { code: code?.toUpperCase(), percentage }), remove: t("remove") }
        : undefined,
    onApply: (given: string) => void apply(given),
    onRemove: clear,
  };
}
