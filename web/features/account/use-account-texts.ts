import type { FieldError } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { FieldProblem } from "../../../shared/account.ts";
import { refusalKey } from "./refusal-key.ts";

/** Returns the error texts: `problem` for a field, `refusal` for an error of the server. */
export function useAccountTexts() {
  const { t } = useTranslation("account");
  return {
    // The schema's messages are keys of `problem`.
    problem: (error: FieldError | undefined) =>
      error?.message ? t(`problem.${error.message as FieldProblem}`) : undefined,
    refusal: (error: Error | null) => error && new Error(t(`refusal.${refusalKey(error)}`), { cause: error }),
  };
}
