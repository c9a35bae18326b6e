import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { type Bucket, precheckInsert } from "./objects.ts";

/** Milliseconds. The answer only spares a refused caller the sending: the row's policies decide when the bytes are here. */
const REMEMBERED_MS = 5000;

export type Precheck = (caller: Caller, bucket: Bucket, object: Parameters<typeof precheckInsert>[3]) => Promise<void>;

/**
 * `precheckInsert` for who sends many objects into one folder: once every five seconds is enough, and for larger ones
 * than any that were let in.
 */
export function prechecks(db: Database): Precheck {
  let passed = new Map<string, number>();
  let since = 0;
  return async (caller, bucket, object) => {
    const now = performance.now();
    if (now - since > REMEMBERED_MS) {
      passed = new Map();
      since = now;
    }
    const folder = object.name.slice(0, object.name.lastIndexOf("/") + 1);
    const key = JSON.stringify([caller, bucket.id, folder, object.upsert, object.type]);
    if ((passed.get(key) ?? -1) >= object.size) return;
    await precheckInsert(db, caller, bucket, object);
    passed.set(key, object.size);
  };
}
