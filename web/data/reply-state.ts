import type { DayReply } from "./day-replies.queries.ts";

/** The state of a reply, as it is listed. */
export const stateOf = ({ answer, waiting_since }: Pick<DayReply, "answer" | "waiting_since">) =>
  answer === null ? "open" : answer === "yes" && waiting_since !== null ? "waiting" : answer;

/** The names of all who come, with words for those who are not named. */
export const namesOf = ({ names }: Pick<DayReply, "names">, guestOf: (name: string) => string): string[] =>
  names.map((name) => name || guestOf(names[0] ?? ""));
