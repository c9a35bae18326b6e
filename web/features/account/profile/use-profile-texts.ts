import { useTranslation } from "react-i18next";
import { useAccountTexts } from "../use-account-texts.ts";
import { ProfileFailure } from "./profile-failure.ts";

/** The texts of profile errors. */
export function useProfileTexts() {
  const { t } = useTranslation("profile");
  const texts = useAccountTexts();
  return {
    ...texts,
    failure: (error: Error | null) =>
      error instanceof ProfileFailure ? new Error(t(`failure.${error.key}`), { cause: error }) : texts.refusal(error),
  };
}
