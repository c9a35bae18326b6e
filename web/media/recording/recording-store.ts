import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** A recording of the microphone that was not added yet. */
export interface KeptRecording {
  id: string;
  /** The memory to which it will be added. */
  memoryId: string;
  type: string;
  /** Milliseconds. */
  startedAt: number;
}

interface Schema extends DBSchema {
  recordings: { key: string; value: KeptRecording; indexes: { memoryId: string } };
  /** The parts of each recording, in their order. */
  parts: { key: number; value: { recording: string; bytes: Blob }; indexes: { recording: string } };
}

let opened: Promise<IDBPDatabase<Schema>> | undefined;

function open(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>("skies-recordings", 1, {
    upgrade(db) {
      db.createObjectStore("recordings", { keyPath: "id" }).createIndex("memoryId", "memoryId");
      db.createObjectStore("parts", { autoIncrement: true }).createIndex("recording", "recording");
    },
    terminated() {
      opened = undefined;
    },
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

/** The name of the lock that a tab holds while it records. */
const lockOf = (id: string) => `skies-recording-${id}`;

/** Recordings that were handed over to a page that may still have to ask for a name. */
const handedOver = new Set<string>();

/** Stores the beginning of a recording. Resolves to the function that ends it, whether or not it could be stored. */
export async function beginRecording(recording: KeptRecording): Promise<() => void> {
  await open()
    .then((db) => db.put("recordings", recording))
    .catch(() => {});
  return new Promise((resolve) => {
    const untilReleased = () => new Promise<void>((release) => resolve(release));
    if (!("locks" in navigator)) resolve(() => {});
    else navigator.locks.request(lockOf(recording.id), untilReleased).catch(() => resolve(() => {}));
  });
}

/** Stores the next part. Without room, the recording goes on in the page's memory. */
export async function keepPart(recording: string, bytes: Blob): Promise<void> {
  await open()
    .then((db) => db.add("parts", { recording, bytes }))
    .catch(() => {});
}

/** The newest recording of a memory that no tab is recording and nobody has added; undefined without one. */
export async function unfinishedRecording(memoryId: string): Promise<(KeptRecording & { bytes: Blob }) | undefined> {
  try {
    const lockNames = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name));
    const db = await open();
    const all = await db.getAllFromIndex("recordings", "memoryId", memoryId);
    const waiting = all
      .filter(({ id }) => !lockNames.has(lockOf(id)) && !handedOver.has(id))
      .sort((a, b) => b.startedAt - a.startedAt);
    for (const recording of waiting) {
      const parts = await db.getAllFromIndex("parts", "recording", recording.id);
      if (parts.length > 0) {
        const blobs = parts.map(({ bytes }) => bytes);
        return { ...recording, bytes: new Blob(blobs, { type: recording.type }) };
      }
      await removeRecording(recording.id);
    }
  } catch {
    // Without the browser's store there is nothing to find.
  }
  return undefined;
}

/** Deletes a recording. */
export async function removeRecording(id: string): Promise<void> {
  try {
    const transaction = (await open()).transaction(["recordings", "parts"], "readwrite");
    void transaction.objectStore("recordings").delete(id);
    const parts = transaction.objectStore("parts");
    for (const key of await parts.index("recording").getAllKeys(id)) void parts.delete(key);
    await transaction.done;
  } catch {
    // It is offered again.
  }
}

/** Marks a recording as handed over, so that it is not offered again. */
export const handOver = (id: string): void => void handedOver.add(id);

/** Deletes the recordings that were handed over, once their uploads are stored in the browser. */
export async function forgetHandedOver(): Promise<void> {
  for (const id of handedOver) await removeRecording(id);
}

/** Deletes all recordings, e.g. when a person signs out. */
export async function forgetAllRecordings(): Promise<void> {
  try {
    const db = await open();
    await Promise.all([db.clear("recordings"), db.clear("parts")]);
  } catch {
    // There are none.
  }
}
