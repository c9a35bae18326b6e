import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { findObject, type StoredObject } from "./objects.ts";

/** Milliseconds. A right that ends must end everywhere within a second, also by the clock or by another process. */
const REMEMBERED_MS = 500;

export type FindObject = (caller: Caller, bucket: string, name: string, maxAgeMs?: number) => Promise<StoredObject>;

/**
 * `findObject` that asks once for what is asked again and again: the parts of a video, the pictures of a page. What the
 * policies said is remembered for half a second, and not beyond anything that this process may have changed since.
 */
export function recentObjects(db: Database): FindObject {
  let known = new Map<string, { asked: Promise<StoredObject>; at: number }>();
  let since = 0;
  let changes = -1;
  return (caller, bucket, name, maxAgeMs = REMEMBERED_MS) => {
    const now = performance.now();
    if (changes !== db.changes() || now - since > REMEMBERED_MS) {
      known = new Map();
      since = now;
      changes = db.changes();
    }
    const key = JSON.stringify([caller, bucket, name]);
    const found = known.get(key);
    if (found && now - found.at <= maxAgeMs) return found.asked;
    const asked = findObject(db, caller, bucket, name);
    const here = known;
    here.set(key, { asked, at: now });
    asked.catch(() => here.delete(key));
    return asked;
  };
}
