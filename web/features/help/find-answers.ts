import type { Question } from "../../ui/QuestionList.tsx";

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The questions in which every word occurs, in whatever case and with or without accents; those that ask for it come first. */
export function findAnswers(questions: readonly Question[], search: string): Question[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => plain(text).includes(word));
  const found = questions.filter(({ ask, answer }) => has(`${ask} ${answer}`));
  return [...found.filter(({ ask }) => has(ask)), ...found.filter(({ ask }) => !has(ask))];
}
