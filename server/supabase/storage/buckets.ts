import type { Database } from "../../database/database.ts";
import { type Bucket, findBucket } from "./objects.ts";

/** Milliseconds after which another process's change of a bucket counts here too. */
const REMEMBERED_MS = 1000;

/** Buckets' limits, asked for once a second and again after every change made here. */
export interface Buckets {
  find(id: string): Promise<Bucket>;
  changed(): void;
}

export function rememberedBuckets(db: Database): Buckets {
  let known = new Map<string, Promise<Bucket>>();
  let since = 0;
  return {
    find(id) {
      if (performance.now() - since > REMEMBERED_MS) {
        known = new Map();
        since = performance.now();
      }
      const here = known;
      const asked = here.get(id) ?? findBucket(db, id);
      here.set(id, asked);
      asked.catch(() => here.delete(id));
      return asked;
    },
    changed() {
      known = new Map();
    },
  };
}
