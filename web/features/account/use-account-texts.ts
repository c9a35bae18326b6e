import type { FieldError } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { FieldProblem } from "../../../shared/account.ts";
import { refusalKey } from "./refusal-key.ts";

/** What is wrong, in the reader's words: with a field, and with the whole form as the server sees it. */
export function useAccountTexts() {
  const { t } = useTranslation(["account", "common"]);
  return {
    // The schema's messages are keys of the common texts.
    problem: (error: FieldError | undefined) =>
      error?.message ? t(`common:${error.message as FieldProblem}`) : undefined,
    refusal: (error: Error | null) => error && new Error(t(`account:refusal.${refusalKey(error)}`), { cause: error }),
  };
}
