import type { MediaName, PersonEntry } from "./pictured.queries.ts";

/** A person in a memory's photos, with all entries that are merged into theirs. */
export interface PicturedPerson {
  id: string;
  name: string;
  otherNames: readonly string[];
  bornYear: number | null;
  diedYear: number | null;
  revision: number;
  /** The other names of the person's own entry. */
  ownOtherNames: readonly string[];
  /** The entries that are merged into the person, and into which one. */
  merged: readonly { id: string; name: string; into: string }[];
  /** Ids of all entries of the person, with their own. */
  entryIds: readonly string[];
  /** The photos and videos with their name. */
  mediaIds: ReadonlySet<string>;
}

/** A name on one photo. */
export interface NameOnPhoto {
  person: PicturedPerson;
  x: number | null;
  y: number | null;
}

export interface Pictured {
  /** People by their name, with those whose name is on no photo. */
  people: readonly PicturedPerson[];
  /** People by the ids of all their entries. */
  byId: ReadonlyMap<string, PicturedPerson>;
  /** The names by the id of a photo or video: from left to right, then those without a point. */
  onPhotos: ReadonlyMap<string, readonly NameOnPhoto[]>;
}

/** The id of the entry that shows another one's names; an entry that the reader may not see ends the way to it. */
function rootOf(id: string, entries: ReadonlyMap<string, PersonEntry>): string {
  const passed = new Set<string>();
  for (let at = id; ; ) {
    const next = entries.get(at)?.merged_into;
    if (!next || passed.has(next) || !entries.has(next)) return at;
    passed.add(at);
    at = next;
  }
}

/** Gathers the people of a memory's photos: merged entries are one person, with each photo once. */
export function picturedPeople(rows: readonly PersonEntry[], names: readonly MediaName[], locale?: string): Pictured {
  const entries = new Map(rows.map((row) => [row.id, row]));
  const families = new Map<string, { entryIds: string[]; mediaIds: Set<string> }>();
  const roots = new Map<string, string>();
  for (const { id } of rows) {
    const root = rootOf(id, entries);
    roots.set(id, root);
    const family = families.get(root) ?? { entryIds: [], mediaIds: new Set<string>() };
    family.entryIds.push(id);
    families.set(root, family);
  }
  for (const { media_id, person_id } of names) families.get(roots.get(person_id) ?? "")?.mediaIds.add(media_id);

  const byId = new Map<string, PicturedPerson>();
  const people: PicturedPerson[] = [];
  for (const [root, { entryIds, mediaIds }] of families) {
    const entry = entries.get(root);
    if (!entry) continue;
    const { id, name, other_names, born_year, died_year, revision } = entry;
    const mergedNames = entryIds.flatMap((one) => [
      entries.get(one)?.name ?? "",
      ...(entries.get(one)?.other_names ?? []),
    ]);
    const otherNames = [...new Set([...other_names, ...mergedNames])].filter((other) => other !== name);
    const merged = entryIds.flatMap((one) => {
      const { name: text = "", merged_into: into = null } = entries.get(one) ?? {};
      return one === id || into === null ? [] : [{ id: one, name: text, into }];
    });
    const person = {
      id,
      name,
      otherNames,
      ownOtherNames: other_names,
      merged,
      bornYear: born_year,
      diedYear: died_year,
      revision,
      entryIds,
      mediaIds,
    };
    people.push(person);
    for (const entryId of entryIds) byId.set(entryId, person);
  }
  people.sort((a, b) => a.name.localeCompare(b.name, locale) || (a.id < b.id ? -1 : 1));

  const onPhotos = new Map<string, NameOnPhoto[]>();
  for (const { media_id, person_id, x, y } of names) {
    const person = byId.get(person_id);
    if (!person) continue;
    const photoNames = onPhotos.get(media_id) ?? [];
    const same = photoNames.findIndex((name) => name.person === person);
    if (same < 0) photoNames.push({ person, x, y });
    // Of two merged entries on one photo, the one with a point shows where the person is.
    else if (x !== null && photoNames[same]?.x === null) photoNames[same] = { person, x, y };
    onPhotos.set(media_id, photoNames);
  }
  for (const photoNames of onPhotos.values())
    photoNames.sort((a, b) => (a.x ?? 2) - (b.x ?? 2) || a.person.name.localeCompare(b.person.name, locale));
  return { people, byId, onPhotos };
}
