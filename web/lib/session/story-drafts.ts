import { type DBSchema, type IDBPDatabase, openDB } from "idb";

export interface StoryDraft {
  id: string;
  userId: string;
  memoryId: string;
  /** The story's id within the memory. */
  story: string;
  title: string;
  html: string;
  /** The content when editing began; `revision` is null if it was not stored, `updatedAt` the base of earlier versions. */
  base: { title: string; html: string; revision?: number | null; updatedAt?: string | null };
  /** The time of the last change in milliseconds since 1970. */
  at: number;
}

type DraftKey = Pick<StoryDraft, "userId" | "memoryId" | "story">;

/** A slot for unsaved text that no other tab uses. */
export interface DraftSlot {
  id: string;
  /** Text that was stored in it before, e.g. before a reload. */
  storedDraft: StoryDraft | undefined;
  /** Stores text, replacing the old. */
  keep(text: Pick<StoryDraft, "title" | "html" | "base">): Promise<void>;
  release(): void;
}

interface Schema extends DBSchema {
  words: { key: string; value: StoryDraft };
}

const NAME = "skies-words";
let database: Promise<IDBPDatabase<Schema>> | undefined;
const open = () => {
  database ??= openDB<Schema>(NAME, 1, {
    upgrade(db) {
      db.createObjectStore("words", { keyPath: "id" });
    },
    terminated() {
      database = undefined;
    },
  });
  return database;
};

/** Runs `work` with the store. Without a store or free space, stores nothing and throws no error. */
async function attempt<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work(await open());
  } catch {
    return otherwise;
  }
}

const lockOf = (id: string) => `${NAME}-${id}`;

/** Takes a lock if it is free. Resolves to its release function, or to undefined if another tab has the lock. */
function hold(id: string): Promise<(() => void) | undefined> {
  // Only secure origins have locks. On others, e.g. a developer's phone, each tab assumes that it is alone.
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    navigator.locks
      .request(lockOf(id), { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(undefined);
        return new Promise<void>((release) => resolve(() => release()));
      })
      // A browser with blocked storage refuses locks.
      .catch(() => resolve(() => {}));
  });
}

async function storedDrafts(of: Omit<DraftKey, "story">): Promise<StoryDraft[]> {
  const all = await attempt((db) => db.getAll("words"), []);
  return all
    .filter(({ userId, memoryId }) => userId === of.userId && memoryId === of.memoryId)
    .sort((a, b) => b.at - a.at);
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * A slot for unsaved text of one story: the newest one that no tab is editing, or a new one. Two tabs with the same
 * story have separate slots, so neither overwrites the other's text.
 */
export function draftSlot(slot: DraftKey): Promise<DraftSlot> {
  const slotPromise = turn.then(async () => {
    for (const storedDraft of await storedDrafts(slot)) {
      const release = storedDraft.story === slot.story && (await hold(storedDraft.id));
      if (release) return slotOf(slot, storedDraft.id, storedDraft, release);
    }
    const id = crypto.randomUUID();
    return slotOf(slot, id, undefined, (await hold(id)) ?? (() => {}));
  });
  turn = slotPromise.catch(() => {});
  return slotPromise;
}

function slotOf(slot: DraftKey, id: string, draft: StoryDraft | undefined, release: () => void): DraftSlot {
  return {
    id,
    storedDraft: draft,
    release,
    async keep({ title, html, base }) {
      const { userId, memoryId, story } = slot;
      await attempt((db) => db.put("words", { id, userId, memoryId, story, title, html, base, at: Date.now() }), id);
    },
  };
}

/** Deletes a saved or discarded draft. */
export async function forgetDraft(id: string): Promise<void> {
  await attempt((db) => db.delete("words", id), undefined);
}

/** The stories of a memory with unsaved text that no tab is editing, newest first. */
export async function unsavedStories(of: Omit<DraftKey, "story">): Promise<string[]> {
  const lockNames = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name));
  return (await storedDrafts(of)).filter(({ id }) => !lockNames.has(lockOf(id))).map(({ story }) => story);
}

/** Deletes all drafts, e.g. when a person signs out. */
export async function forgetAllDrafts(): Promise<void> {
  await attempt((db) => db.clear("words"), undefined);
}
