import { expect, test } from "vitest";
import { findAnswers } from "./find-answers.ts";

const questions = [
  { ask: "Who can see it?", answer: "Whoever has the PIN." },
  { ask: "Where is the PIN?", answer: "In the message." },
  { ask: "Perché?", answer: "Così." },
];
const answersTo = (search: string) => findAnswers(questions, search).map(({ ask }) => ask);

test("answers are found by their words, and the best matches come first", () => {
  expect(answersTo("pin")).toEqual(["Where is the PIN?", "Who can see it?"]);
  expect(answersTo(" see  PIN ")).toEqual(["Who can see it?"]);
  expect(answersTo("perche")).toEqual(["Perché?"]);
  expect(answersTo("")).toHaveLength(3);
  expect(answersTo("elephant")).toEqual([]);
});
