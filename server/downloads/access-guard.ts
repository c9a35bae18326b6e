import { blurKey } from "../../shared/edit-key.ts";
import type { PhotoEdit } from "../../shared/photo-edit.ts";
import { queryAsCaller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import type { OpenSessions } from "../supabase/open-sessions.ts";
import type { FileForm } from "./file-forms.ts";
import { type Prepared, throughGrownAlbum } from "./prepared.ts";

/**
 * A prepared download was revoked: a link was closed, a photo or text withdrawn, names or downloads forbidden, or the
 * session ended.
 */
export class AccessEndedError extends Error {
  constructor() {
    super("This download is no longer allowed");
  }
}

/** How long a result of the row policies is valid, in milliseconds. */
const HOLDS_MS = 300;
/** The number of files in one query, so that a thousand small files need few queries. */
const FILES_AT_ONCE = 100;

/** Guards the bytes of a download; both functions reject with {@link AccessEndedError}. */
export interface AccessGuard {
  /** Checks whether the entry at `index` may be read. */
  pass(index: number): Promise<void>;
  /** Checks the current entry again, unless the last result is at most this old. */
  recheck(maxAgeMs: number): Promise<void>;
}

/** Evaluates the row policies as the download's caller, at the start and during the download. */
export function openAccessGuard(
  { db, sessions }: { db: Database; sessions: OpenSessions },
  prepared: Prepared,
  holdsMs = HOLDS_MS,
): AccessGuard {
  const { memories, told: notices = [], named = [], entries } = prepared.manifest;
  let { caller } = prepared;
  let answeredAt = Number.NEGATIVE_INFINITY;
  // Texts are checked only at the start: the pages come first, and a later withdrawal should not end a long download.
  let texts = notices;
  let allowed = new Set<string>();
  let current = 0;
  /** The running query. Reads and rechecks share it, so that only one runs at a time. */
  let turn: Promise<unknown> = Promise.resolve();

  /** Checks these objects, and whether each memory with its texts and names may still be downloaded. */
  async function ask(ids: string[]): Promise<boolean> {
    const lists = [memories, ids, texts, named].map((list) => JSON.stringify(list));
    const { body } = await queryAsCaller(db, caller, question(texts.length > 0), lists, {
      readOnly: true,
      planOnce: true,
    });
    answeredAt = performance.now();
    const answer = JSON.parse(body) as {
      memories: number;
      told: number;
      named: number;
      objects: {
        id: string;
        version: string;
        access: "original" | "copy" | "view";
        edit: PhotoEdit | null;
        back: { id: string; version: string; edit: PhotoEdit | null } | null;
      }[];
    };
    allowed = new Set(
      answer.objects.flatMap(({ id, version, access, edit, back }) => {
        if (access === "view") return [];
        const own = access === "original" ? [keyOf(id, version)] : [];
        const copies = [{ id, version, edit }, ...(back ? [back] : [])];
        return [...own, ...copies.map((copy) => keyOf(copy.id, copy.version, copy.edit))];
      }),
    );
    const isWhole =
      answer.memories === memories.length && answer.named === named.length && answer.told === texts.length;
    if (isWhole) texts = [];
    return isWhole;
  }

  async function check(index: number, maxAgeMs: number): Promise<void> {
    if (!(await sessions.isOpen(caller))) throw new AccessEndedError();
    const entry = entries[index];
    const keys = entry && "file" in entry ? keysOf(entry.file) : undefined;
    const isKnown = () => !keys || keys.some((key) => allowed.has(key));
    if (performance.now() - answeredAt < maxAgeMs && isKnown()) return;
    const ids = entries
      .slice(index, index + FILES_AT_ONCE)
      .flatMap((next) => ("file" in next ? [(next.file.front ?? next.file.object).id] : []));
    if ((await ask(ids)) && isKnown()) return;
    const renewed = await throughGrownAlbum(db, prepared);
    if (renewed) caller = renewed;
    if (!renewed || !(await ask(ids)) || !isKnown()) throw new AccessEndedError();
  }

  const inTurn = (index: number, maxAgeMs: number): Promise<void> => {
    const done = turn.then(() => check(index, maxAgeMs));
    turn = done.catch(() => {});
    return done;
  };

  return {
    pass(index) {
      current = index;
      return inTurn(index, holdsMs);
    },
    recheck: (maxAgeMs) => inTurn(current, Math.min(maxAgeMs, holdsMs)),
  };
}

/** The keys of which one must be allowed. Who may have a copy may have every form of it, e.g. each page of a paper. */
const keysOf = ({ object: { id, version, edit }, form }: FileForm): string[] =>
  form === "original" ? [keyOf(id, version)] : [keyOf(id, version), keyOf(id, version, edit ?? null)];

/** The key of a file's original and all copies; with an edit, that of the copies that show no more than it. */
const keyOf = (id: string, version: string, edit?: PhotoEdit | null) =>
  edit === undefined ? `${id} ${version}` : `${id} ${version} copy ${blurKey(edit)}`;

/**
 * A condition on the ids of one of the parameter's lists. As an array, it lets the planner read only these rows, and
 * evaluate policies for no others.
 */
const idsOf = (list: number) => `any (array(select jsonb_array_elements_text($1[${list}]::jsonb)::uuid))`;

const COUNT_TEXTS = `(select count(*) from comments c where c.id = ${idsOf(3)} and c.moderation = 'shown' and c.deleted_at is null)
      + (select count(*) from stories s where s.id = ${idsOf(3)} and s.moderation = 'shown')`;

/**
 * Checks everything in one statement. The parameter holds four JSON lists: memories, objects, texts and names. Texts
 * are checked once; later statements leave them out, so that their policies are not even planned.
 */
const question = (hasTexts: boolean) => `
  select jsonb_build_object(
    'memories', (select count(*) from memories m where m.id = ${idsOf(1)} and (memory_rights(m.id) -> 'download')::boolean),
    'told', ${hasTexts ? COUNT_TEXTS : "0"},
    'named', (select count(*) from jsonb_array_elements_text($1[4]::jsonb) n where private.can_read_credits(n::uuid)),
    'objects', (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'version', o.version, 'access', private.access_to_object(o), 'edit', private.edit_of(o),
        'back', (select jsonb_build_object('id', b.id, 'version', b.version, 'edit', private.edit_of(b)) from private.back_of(o.id) b))), '[]')
      from storage.objects o where o.id = ${idsOf(2)})
  )::text, 1::bigint, null::bigint`;
