import { useTranslation } from "react-i18next";
import { QuestionList } from "../../ui/QuestionList.tsx";

const questions = ["who", "account", "photos", "pin", "originals", "leave"] as const;

/** What people ask before they trust a place with their photos. */
export function Questions() {
  const { t } = useTranslation("home");
  return (
    <QuestionList
      id="questions"
      title={t("questions.title")}
      questions={questions.map((question) => ({
        ask: t(`questions.${question}.ask`),
        answer: t(`questions.${question}.answer`),
      }))}
    />
  );
}
