import { randomBytes } from "node:crypto";
import type { Person } from "./people.ts";

const AT_ONCE = 1000;

/** Gives a person memories without photos, alternately tributes and events; resolves to the names in list order. */
export async function manyMemories(person: Person, count: number) {
  const account = randomBytes(4).toString("hex");
  const name = (number: number) => `Memory no. ${String(number).padStart(4, "0")}`;
  // The newest come first; those of the same time are ordered by id.
  const names: string[] = [];
  for (let from = 1; from <= count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from + 1) }, (_, index) => from + index);
    const { error } = await person.client.from("memories").insert(
      numbers.map((number) => ({
        id: `${account}-0000-4000-8000-${String(number).padStart(12, "0")}`,
        person_name: name(number),
        kind: number % 2 === 0 ? "event" : "tribute",
      })),
    );
    if (error) throw error;
    names.unshift(...numbers.map(name));
  }
  return names;
}
