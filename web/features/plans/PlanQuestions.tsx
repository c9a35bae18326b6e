import { useTranslation } from "react-i18next";
import { QuestionList } from "../../ui/QuestionList.tsx";

const questions = ["end", "renew", "change", "currency"] as const;

/** Renders frequent questions about plans and payment. */
export function PlanQuestions() {
  const { t } = useTranslation("pricing");
  return (
    <QuestionList
      id="plan-questions"
      title={t("questions.title")}
      questions={questions.map((question) => ({
        ask: t(`questions.${question}.ask`),
        answer: t(`questions.${question}.answer`),
      }))}
    />
  );
}
