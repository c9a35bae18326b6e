import { queryAsCaller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import { type Prepared, throughGrownAlbum } from "./prepared.ts";

/** What was prepared may not be had any more: a link was closed, a photo or words withdrawn, names or downloading forbidden. */
export class NoLongerAllowed extends Error {
  constructor() {
    super("This download is no longer allowed");
  }
}

/** How long an answer of the row policies holds: what is closed stays shut within a second. */
const HOLDS_MS = 500;
/** How many files are asked about at once: a thousand small ones go by within one answer. */
const ASKED_AT_ONCE = 100;

/**
 * Stands in the way of every byte of a download: asks the row policies as its caller, again and again while it goes on.
 * Rejects with {@link NoLongerAllowed}.
 */
export function openGate(db: Database, prepared: Prepared, holdsMs = HOLDS_MS) {
  const { memories, told = [], named = [], entries } = prepared.manifest;
  let { caller } = prepared;
  let askedAt = Number.NEGATIVE_INFINITY;
  // Asked once, as a use begins: the pages come first, and a day's download is not to end for a word said meanwhile.
  let words = told;
  let allowed = new Set<string>();

  /** Asks about these objects, and whether every memory may still be downloaded, with its words and names. */
  async function ask(ids: string[]): Promise<boolean> {
    const asked = [memories, ids, words, named].map((list) => JSON.stringify(list));
    const { body } = await queryAsCaller(db, caller, ALLOWED, asked, { readOnly: true });
    const answer = JSON.parse(body) as {
      memories: number;
      told: number;
      named: number;
      objects: { id: string; version: string; access: "original" | "copy" | "view" }[];
    };
    allowed = new Set(
      answer.objects.flatMap(({ id, version, access }) => {
        if (access === "view") return [];
        const copies = ["copy", "small", "large"];
        return [...copies, ...(access === "original" ? ["original"] : [])].map((form) => keyOf(id, version, form));
      }),
    );
    const isWhole =
      answer.memories === memories.length && answer.named === named.length && answer.told === words.length;
    if (isWhole) words = [];
    return isWhole;
  }

  return async function pass(place: number): Promise<void> {
    const entry = entries[place];
    const key = entry && "file" in entry ? keyOf(entry.file.object.id, entry.file.object.version, entry.file.form) : "";
    if (performance.now() - askedAt < holdsMs && (key === "" || allowed.has(key))) return;
    const ids = entries
      .slice(place, place + ASKED_AT_ONCE)
      .flatMap((next) => ("file" in next ? [next.file.object.id] : []));
    askedAt = performance.now();
    const isAllowed = async () => (await ask(ids)) && (key === "" || allowed.has(key));
    if (await isAllowed()) return;
    const renewed = await throughGrownAlbum(db, prepared);
    if (renewed) caller = renewed;
    if (!renewed || !(await isAllowed())) throw new NoLongerAllowed();
  };
}

const keyOf = (id: string, version: string, form: string) => `${id} ${version} ${form}`;

const ALLOWED = `
  select jsonb_build_object(
    'memories', (select count(*) from memories m
      where m.id in (select jsonb_array_elements_text($1[1]::jsonb)::uuid) and (memory_rights(m.id) -> 'download')::boolean),
    'told', (select count(*) from comments c
        where c.id in (select jsonb_array_elements_text($1[3]::jsonb)::uuid) and c.moderation = 'shown' and c.deleted_at is null)
      + (select count(*) from stories s where s.id in (select jsonb_array_elements_text($1[3]::jsonb)::uuid) and s.moderation = 'shown'),
    'named', (select count(*) from jsonb_array_elements_text($1[4]::jsonb) n
      where n::uuid = any ((select private.credited_memory_ids())::uuid[])),
    'objects', (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'version', o.version, 'access', private.access_to_object(o))), '[]')
      from storage.objects o where o.id in (select jsonb_array_elements_text($1[2]::jsonb)::uuid))
  )::text, 1::bigint, null::bigint`;
