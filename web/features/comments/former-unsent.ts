import { useEffect } from "react";
import { pageOutbox } from "../../data/outbox/page-outbox.ts";
import { browserStorage, keepJson, readJson } from "../../lib/browser/storage.ts";

const KEY = "skies-unsent-comments";

interface Former {
  id: string;
  userId: string;
  memoryId: string;
  mediaId: string | null;
  parentId: string | null;
  body: string;
  mentions: string[];
  at: string;
}

/** Moves the unsent comments that earlier versions have stored into the outbox. */
export function useFormerUnsent(owner: string | undefined, memoryId: string) {
  useEffect(() => {
    const all = readJson(browserStorage, KEY);
    if (owner === undefined || !Array.isArray(all)) return;
    const isOwn = (one: Former) => owner.endsWith(one.userId) && one.memoryId === memoryId;
    keepJson(
      browserStorage,
      KEY,
      all.filter((one: Former) => !isOwn(one)),
    );
    for (const { userId: _, id, mediaId, parentId, body, mentions, at } of all.filter(isOwn)) {
      const write = { kind: "comment" as const, id, owner, memoryId, mediaId, parentId, body, mentions, at };
      void pageOutbox()
        .add(write)
        .catch(() => {});
    }
  }, [owner, memoryId]);
}
