import type { ExportedAccount } from "../../shared/account-export.ts";

type Person = NonNullable<ExportedAccount["memories"][number]["people"]>[number];

/** Writes the people in photos and their names on the photos that are stored. */
export async function writePeople(
  write: (statement: string, rows: object[]) => Promise<void>,
  account: ExportedAccount,
  idOf: (old: string) => string,
  storedIds: ReadonlySet<string>,
): Promise<void> {
  const memoryIds = new Set(account.memories.map(({ id }) => id));
  const people = account.memories.flatMap((memory) =>
    withoutCircles(memory.people ?? []).map((person) => ({
      ...person,
      id: idOf(person.id),
      memory_id: idOf(memory.id),
      merged_into: person.merged_into && idOf(person.merged_into),
      own_memory_id: person.own_memory_id && memoryIds.has(person.own_memory_id) ? idOf(person.own_memory_id) : null,
    })),
  );
  await write(
    `insert into pictured_people (id, memory_id, name, other_names, born_year, died_year, created_at)
     select p.id, p.memory_id, p.name, p.other_names, p.born_year, p.died_year, p.created_at
     from jsonb_populate_recordset(null::pictured_people, $1) p`,
    people,
  );
  await write(
    `update pictured_people set merged_into = p.merged_into from jsonb_to_recordset($1) as p (id uuid, merged_into uuid)
     where pictured_people.id = p.id`,
    people.filter(({ merged_into }) => merged_into !== null),
  );
  await write(
    `insert into pictured_identities (person_id, memory_id)
     select p.id, p.own_memory_id from jsonb_to_recordset($1) as p (id uuid, own_memory_id uuid)`,
    people.filter(({ own_memory_id }) => own_memory_id !== null),
  );
  await write(
    `insert into media_names (media_id, person_id, memory_id, x, y)
     select n.media_id, n.person_id, n.memory_id, n.x, n.y from jsonb_populate_recordset(null::media_names, $1) n
     on conflict do nothing`,
    account.memories.flatMap((memory) => {
      const ownPeople = new Set((memory.people ?? []).map(({ id }) => id));
      return memory.media
        .filter(({ id }) => storedIds.has(idOf(id)))
        .flatMap(({ id, names = [] }) =>
          names
            .filter(({ person_id }) => ownPeople.has(person_id))
            .map(({ person_id, point }) => ({
              media_id: idOf(id),
              person_id: idOf(person_id),
              memory_id: idOf(memory.id),
              x: point?.x ?? null,
              y: point?.y ?? null,
            })),
        );
    }),
  );
}

/** A memory's people with merges only into others of them, and never in a circle, which a forged file may have. */
export function withoutCircles(people: readonly Person[]): Person[] {
  const into = new Map(people.map(({ id, merged_into }) => [id, merged_into]));
  const endsById = new Map<string, boolean>();
  const ends = (id: string) => {
    const passed = new Set<string>();
    let at: string | null | undefined = id;
    // Each person is passed once in all, because a forged file may have one long chain.
    for (; at && into.has(at) && !passed.has(at) && !endsById.has(at); at = into.get(at)) passed.add(at);
    const isEnd = at ? (endsById.get(at) ?? false) : true;
    for (const one of passed) endsById.set(one, isEnd);
    return isEnd;
  };
  return people.map((person) => (ends(person.id) ? person : { ...person, merged_into: null }));
}
