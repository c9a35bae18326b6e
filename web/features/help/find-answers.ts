import type { Question } from "../../ui/QuestionList.tsx";

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The questions that contain every word, ignoring case and accents; matches in the question come first. */
export function findAnswers(questions: readonly Question[], search: string): Question[] {
  const terms = plain(search).split(/\s+/).filter(Boolean);
  const has = (text: string) => terms.every((word) => plain(text).includes(word));
  const matches = questions.filter(({ ask, answer }) => has(`${ask} ${answer}`));
  return [...matches.filter(({ ask }) => has(ask)), ...matches.filter(({ ask }) => !has(ask))];
}
