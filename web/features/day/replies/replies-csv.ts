import type { DayReply, Question } from "../../../data/day-replies.queries.ts";
import { namesOf, stateOf } from "../../../data/reply-state.ts";
import { csvText } from "../../../lib/formatting/csv.ts";

interface CsvTexts {
  columns: { reply: string; persons: string; names: string; note: string; changed: string };
  states: Record<ReturnType<typeof stateOf>, string>;
  yes: string;
  guestOf: (name: string) => string;
}

/** A CSV file of all replies, one line each, with a column for each part and question. */
export function repliesCsv(
  replies: readonly DayReply[],
  parts: readonly { id: string; title: string }[],
  questions: readonly Question[],
  { columns, states, yes, guestOf }: CsvTexts,
): string {
  const names = [columns.reply, columns.persons, columns.names, ...parts.map(({ title }) => title)];
  return csvText(
    [...names, ...questions.map(({ text }) => text), columns.note, columns.changed],
    replies.map((reply) => [
      states[stateOf(reply)],
      String(reply.answer === "no" ? 0 : reply.names.length),
      namesOf(reply, guestOf).join(", "),
      ...parts.map(({ id }) => (reply.part_ids.includes(id) ? yes : "")),
      ...questions.map(({ id }) => (reply.answers[id] ?? []).join(", ")),
      reply.note,
      reply.updated_at.slice(0, "YYYY-MM-DDTHH:MM".length).replace("T", " "),
    ]),
  );
}
