import { expect, test } from "vitest";
import type { DayReply, Question } from "../../../data/day-replies.queries.ts";
import { namesOf } from "../../../data/reply-state.ts";
import { repliesCsv } from "./replies-csv.ts";
import { totalsOf } from "./reply-totals.ts";

const PARTS = [
  { id: "p1", title: "Ceremony" },
  { id: "p2", title: "=Dinner" },
];
const BUS: Question = { id: "q1", kind: "one", text: "The bus?", choices: ["Yes", "No"] };
const SONG: Question = { id: "q2", kind: "text", text: "A song?", choices: [] };
const reply = (changes: Partial<DayReply>): DayReply => ({
  id: "1",
  guest_id: null,
  answer: "yes",
  names: ["Ada"],
  part_ids: ["p1"],
  note: "",
  answers: {},
  most: null,
  waiting_since: null,
  created_at: "2026-05-01T10:00:00+00:00",
  updated_at: "2026-05-01T10:00:00+00:00",
  revision: 1,
  ...changes,
});
const REPLIES = [
  reply({ names: ["Ada", "", "Leo"], part_ids: ["p1", "p2"], answers: { q1: ["Yes"], q2: ["Azzurro"] } }),
  reply({ names: ["Ben"], part_ids: ["p2"], answers: { q1: ["Yes"] }, note: 'He said "yes"' }),
  reply({ names: ["Cleo", ""], waiting_since: "2026-05-01T10:00:00+00:00", answers: { q1: ["No"] } }),
  reply({ names: ["Dora"], answer: "maybe" }),
  reply({ names: ["Elia"], answer: "no", part_ids: [] }),
  reply({ names: ["Rossi", ""], answer: null, part_ids: [] }),
];
const guestOf = (name: string) => `Guest of ${name}`;

test("totals count persons by answer and part, and the answers of those who come", () => {
  expect(totalsOf(REPLIES, PARTS, [BUS, SONG])).toMatchObject({
    yes: 4,
    maybe: 1,
    waiting: 2,
    no: 1,
    open: 1,
    parts: [
      { id: "p1", persons: 3 },
      { id: "p2", persons: 4 },
    ],
    questions: [
      {
        choices: [
          { choice: "Yes", count: 2 },
          { choice: "No", count: 0 },
        ],
      },
      { texts: ["Azzurro"] },
    ],
  });
});

test("the table has a line for each reply with the same numbers, and no formula", () => {
  const states = { yes: "Comes", no: "Away", maybe: "Maybe", waiting: "Waits", open: "Open" };
  const columns = { reply: "Reply", persons: "Persons", names: "Names", note: "Note", changed: "Changed" };
  const table = repliesCsv(REPLIES, PARTS, [BUS, SONG], { columns, states, yes: "x", guestOf });
  const [head, ...lines] = table.trimEnd().split("\r\n");
  expect(head).toBe(`\ufeff"Reply","Persons","Names","Ceremony","'=Dinner","The bus?","A song?","Note","Changed"`);
  expect(lines[0]).toBe(`"Comes","3","Ada, Guest of Ada, Leo","x","x","Yes","Azzurro","","2026-05-01 10:00"`);
  expect(lines[1]).toContain(`"He said ""yes"""`);
  expect(lines).toHaveLength(REPLIES.length);
  const persons = (state: string) =>
    lines.filter((line) => line.startsWith(`"${state}"`)).reduce((sum, line) => sum + Number(line.split('","')[1]), 0);
  const totals = totalsOf(REPLIES, PARTS, []);
  expect([persons("Comes"), persons("Waits"), persons("Maybe"), persons("Away")]).toEqual([
    totals.yes,
    totals.waiting,
    totals.maybe,
    0,
  ]);
});

test("who is not named is called a guest of the first", () => {
  expect(namesOf({ names: ["Ada", "", "Leo"] }, guestOf)).toEqual(["Ada", "Guest of Ada", "Leo"]);
});
