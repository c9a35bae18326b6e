import { useEffect, useState } from "react";
import { browserStorage, keepJson, readJson } from "../../lib/browser/storage.ts";
import { isBy } from "./comment.ts";
import type { Thread } from "./threads.ts";

const keyOf = (memoryId: string) => `skies-seen-${memoryId}`;

/**
 * How many comments of others have come since this browser last showed the conversation, which it does while `shown`.
 * Undefined threads are not read yet.
 */
export function useUnread(
  memoryId: string,
  threads: readonly Thread[] | undefined,
  myId: string | undefined,
  shown: boolean,
): number {
  const [seen, setSeen] = useState(() => Number(readJson(browserStorage, keyOf(memoryId)) ?? 0));
  const times = (threads ?? [])
    .flatMap(({ head, answers }) => [head, ...answers])
    .filter((comment) => !comment.deleted_at && !isBy(comment, myId))
    .map(({ created_at }) => Date.parse(created_at));
  const newest = Math.max(0, ...times);
  useEffect(() => {
    if (!shown || newest <= seen) return;
    keepJson(browserStorage, keyOf(memoryId), newest);
    setSeen(newest);
  }, [shown, newest, seen, memoryId]);
  return shown ? 0 : times.filter((time) => time > seen).length;
}
