import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { type Bucket, checkUpload, findBucket, findObject, precheckInsert, type StoredObject } from "./objects.ts";

/** Milliseconds after which a bucket's change by another process takes effect here. */
const BUCKET_MS = 1000;

/** Caches the buckets' limits for a second, or until this process changes a bucket. */
export interface Buckets {
  find(id: string): Promise<Bucket>;
  changed(): void;
}

export function cachedBuckets(db: Database): Buckets {
  let buckets = new Map<string, Promise<Bucket>>();
  let since = 0;
  return {
    find(id) {
      if (performance.now() - since > BUCKET_MS) {
        buckets = new Map();
        since = performance.now();
      }
      const here = buckets;
      const lookup = here.get(id) ?? findBucket(db, id);
      here.set(id, lookup);
      lookup.catch(() => here.delete(id));
      return lookup;
    },
    changed() {
      buckets = new Map();
    },
  };
}

/** Cache lifetime in ms. The result may be outdated, because row policies decide again when the bytes have arrived. */
const PRECHECK_MS = 5000;

export type Precheck = (caller: Caller, bucket: Bucket, object: Parameters<typeof precheckInsert>[3]) => Promise<void>;

/** Caches `precheckInsert` for five seconds per folder, for sizes up to the largest one that was admitted. */
export function cachedPrecheck(db: Database): Precheck {
  let passed = new Map<string, number>();
  let since = 0;
  return async (caller, bucket, object) => {
    const now = performance.now();
    if (now - since > PRECHECK_MS) {
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

/** Lifetime in ms. Lost access must take effect within a second, even if it expires or another process ends it. */
const LOOKUP_MS = 500;

/** Resolves to an answer about the object for this caller, which is at most half a second old, or `maxAgeMs` if given. */
type Lookup<T> = (caller: Caller, bucket: string, name: string, maxAgeMs?: number) => Promise<T>;
export type FindObject = Lookup<StoredObject>;
export type CheckUpload = Lookup<void>;

/**
 * Caches repeated lookups, e.g. for the parts of a video or the pictures of a page. The answer is cached for half a
 * second, but only until the next change that this process may have made.
 */
function cached<T>(db: Database, look: (db: Database, caller: Caller, bucket: string, name: string) => Promise<T>) {
  let answers = new Map<string, { answer: Promise<T>; at: number }>();
  let since = 0;
  let changes = -1;
  const lookup: Lookup<T> = (caller, bucket, name, maxAgeMs = LOOKUP_MS) => {
    const now = performance.now();
    if (changes !== db.changes() || now - since > LOOKUP_MS) {
      answers = new Map();
      since = now;
      changes = db.changes();
    }
    const key = JSON.stringify([caller, bucket, name]);
    const cached = answers.get(key);
    if (cached && now - cached.at <= maxAgeMs) return cached.answer;
    const answer = look(db, caller, bucket, name);
    const here = answers;
    here.set(key, { answer, at: now });
    answer.catch(() => here.delete(key));
    return answer;
  };
  return lookup;
}

/** Returns a cached `findObject`. */
export const cachedObjects = (db: Database): FindObject => cached(db, findObject);

/** Returns a cached `checkUpload`. */
export const cachedUploadChecks = (db: Database): CheckUpload => cached(db, checkUpload);
