import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** Unsaved text in this browser. */
export interface StoryDraft {
  id: string;
  userId: string;
  memoryId: string;
  /** Which story of the memory it is for. */
  story: string;
  title: string;
  html: string;
  /** The content when editing began. */
  base: { title: string; html: string; updatedAt: string | null };
  /** When it was last written, as milliseconds since 1970. */
  at: number;
}

type DraftKey = Pick<StoryDraft, "userId" | "memoryId" | "story">;

/** A slot for text that no other tab writes to meanwhile. */
export interface DraftSlot {
  id: string;
  /** What was written there before, as before a reload. */
  found: StoryDraft | undefined;
  /** Stores text, replacing the old. */
  keep(words: Pick<StoryDraft, "title" | "html" | "base">): Promise<void>;
  release(): void;
}

interface Schema extends DBSchema {
  words: { key: string; value: StoryDraft };
}

const NAME = "skies-words";
let opened: Promise<IDBPDatabase<Schema>> | undefined;
const open = () => {
  opened ??= openDB<Schema>(NAME, 1, {
    upgrade(db) {
      db.createObjectStore("words", { keyPath: "id" });
    },
    terminated() {
      opened = undefined;
    },
  });
  return opened;
};

/** Runs `work` with the store; without a store or free space nothing is stored, and no error is thrown. */
async function attempt<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work(await open());
  } catch {
    return otherwise;
  }
}

const lockOf = (id: string) => `${NAME}-${id}`;

/** Takes a lock if it is free; resolves to its release, or to undefined if another tab has it. Without locks each tab trusts it is alone. */
function hold(id: string): Promise<(() => void) | undefined> {
  // Only secure origins have them, as a phone in the house of a developer has not.
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    navigator.locks
      .request(lockOf(id), { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(undefined);
        return new Promise<void>((release) => resolve(() => release()));
      })
      // A browser that stores nothing refuses them.
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
 * A slot for unsaved text of one story: the one with the newest text that no tab is editing, or a new one. Two tabs with
 * the same story have a slot each, so neither overwrites the other's text.
 */
export function draftSlot(slot: DraftKey): Promise<DraftSlot> {
  const taken = turn.then(async () => {
    for (const found of await storedDrafts(slot)) {
      const release = found.story === slot.story && (await hold(found.id));
      if (release) return slotOf(slot, found.id, found, release);
    }
    const id = crypto.randomUUID();
    return slotOf(slot, id, undefined, (await hold(id)) ?? (() => {}));
  });
  turn = taken.catch(() => {});
  return taken;
}

function slotOf(slot: DraftKey, id: string, found: StoryDraft | undefined, release: () => void): DraftSlot {
  return {
    id,
    found,
    release,
    async keep({ title, html, base }) {
      const { userId, memoryId, story } = slot;
      await attempt((db) => db.put("words", { id, userId, memoryId, story, title, html, base, at: Date.now() }), id);
    },
  };
}

/** Deletes the draft with this id: it is saved, or discarded. */
export async function forgetDraft(id: string): Promise<void> {
  await attempt((db) => db.delete("words", id), undefined);
}

/** The stories of a memory with unsaved text that no tab has open; the newest first. */
export async function unsavedStories(of: Omit<DraftKey, "story">): Promise<string[]> {
  const held = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name));
  return (await storedDrafts(of)).filter(({ id }) => !held.has(lockOf(id))).map(({ story }) => story);
}

/** Empties the store, as when a person signs out. */
export async function forgetAllDrafts(): Promise<void> {
  await attempt((db) => db.clear("words"), undefined);
}
