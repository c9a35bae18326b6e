import type { FieldError } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { FieldProblem } from "../../../shared/account.ts";
import { refusalKey } from "./refusal-key.ts";

/** The error texts of fields and of the form, for the server's errors. */
export function useAccountTexts() {
  const { t } = useTranslation(["account", "common"]);
  return {
    // Messages of the schema are keys of the common texts.
    problem: (error: FieldError | undefined) =>
      error?.message ? t(`common:${error.message as FieldProblem}`) : undefined,
    refusal: (error: Error | null) => error && new Error(t(`account:refusal.${refusalKey(error)}`), { cause: error }),
  };
}
