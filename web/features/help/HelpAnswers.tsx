import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Questions } from "../../ui/QuestionList.tsx";
import { SearchField } from "../../ui/SearchField.tsx";
import { findAnswers } from "./find-answers.ts";

const QUESTIONS = [
  ...(["start", "share", "print", "who", "pin", "newPin", "close", "invite", "photos", "upload", "originals"] as const),
  ...(["date", "deleted", "comments", "emails", "plan", "storage", "card", "voucher", "password", "leave"] as const),
];

/** The most frequent questions, with a search. */
export function HelpAnswers() {
  const { t } = useTranslation("help");
  const [text, setText] = useState("");
  const answers = findAnswers(
    QUESTIONS.map((name) => ({ ask: t(`questions.${name}.ask`), answer: t(`questions.${name}.answer`) })),
    text,
  );
  return (
    <div className="grid gap-4">
      <SearchField label={t("search")} value={text} onChange={setText} />
      <p role="status" className="text-ink-soft empty:hidden">
        {text.trim() !== "" && (answers.length === 0 ? t("none") : t("found", { count: answers.length }))}
      </p>
      {answers.length > 0 && <Questions questions={answers} />}
    </div>
  );
}
