import type { DayReply, Question } from "../../../data/day-replies.queries.ts";
import { stateOf } from "../../../data/reply-state.ts";

const persons = (replies: readonly DayReply[]) => replies.reduce((sum, { names }) => sum + names.length, 0);

/** What the hosts need to know: persons by answer and by part, and the answers to their questions of those who come. */
export function totalsOf(
  replies: readonly DayReply[],
  parts: readonly { id: string }[],
  questions: readonly Question[],
) {
  const of = (state: ReturnType<typeof stateOf>) => replies.filter((reply) => stateOf(reply) === state);
  const coming = of("yes");
  return {
    yes: persons(coming),
    maybe: persons(of("maybe")),
    waiting: persons(of("waiting")),
    /** Replies, because those who do not come name only one person. */
    no: of("no").length,
    open: of("open").length,
    parts: parts.map(({ id }) => ({ id, persons: persons(coming.filter(({ part_ids }) => part_ids.includes(id))) })),
    questions: questions.map((question) => {
      const answers = coming.flatMap(({ answers: byQuestion }) => byQuestion[question.id] ?? []);
      return {
        question,
        answered: coming.filter(({ answers: byQuestion }) => byQuestion[question.id]).length,
        choices: question.choices.map((choice) => ({
          choice,
          count: answers.filter((answer) => answer === choice).length,
        })),
        texts: question.kind === "text" ? answers : [],
      };
    }),
  };
}
