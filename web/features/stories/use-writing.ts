import { useEffect, useState } from "react";
import type { MemoryRights } from "../../data/memories.queries.ts";
import type { Story } from "../../data/stories.queries.ts";
import { useLatest } from "../../lib/browser/use-latest.ts";
import type { Target } from "./saving.queries.ts";

interface Around {
  userId: string;
  memoryId: string;
  stories: Story[];
  rights: Pick<MemoryRights, "manage" | "contribute">;
}

/** Which story is being written, if any. One that was begun before a reload and not saved is open again by itself. */
export function useWriting({ userId, memoryId, stories, rights }: Around) {
  const [writing, setWriting] = useState<Target>();
  const [round, setRound] = useState(0);
  const { manage, contribute } = rights;
  const now = useLatest(stories);

  useEffect(() => {
    if (!contribute) return;
    let left = false;
    const mayWrite = (target: Target) =>
      target === "new" ||
      (target === "own" ? manage : now.current.some(({ id, user_id }) => id === target && user_id === userId));
    void import("../../lib/session/story-drafts.ts")
      .then(({ unsavedStories }) => unsavedStories({ userId, memoryId }))
      .then((targets) => !left && setWriting((open) => open ?? targets.find(mayWrite)));
    return () => {
      left = true;
    };
  }, [userId, memoryId, manage, contribute]);

  return {
    writing,
    /** Another number each time a story is taken up again. */
    round,
    open: setWriting,
    close: () => setWriting(undefined),
    reopen: (target: Target) => {
      setRound((before) => before + 1);
      setWriting(target);
    },
  };
}
