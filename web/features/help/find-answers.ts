import type { Question } from "../../ui/QuestionList.tsx";

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The questions that contain every word, ignoring case and accents; matches in the question come first. */
export function findAnswers(questions: readonly Question[], search: string): Question[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => plain(text).includes(word));
  const found = questions.filter(({ ask, answer }) => has(`${ask} ${answer}`));
  return [...found.filter(({ ask }) => has(ask)), ...found.filter(({ ask }) => !has(ask))];
}
