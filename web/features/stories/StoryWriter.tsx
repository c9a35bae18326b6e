import { useEffect, useState } from "react";
import { type DraftSlot, draftSlot } from "../../lib/session/story-drafts.ts";
import { WriterForm, type WritingProps } from "./WriterForm.tsx";
import { WriterSkeleton } from "./WriterSkeleton.tsx";

/** Renders the form of a new or edited story, with the draft from before a reload if there is one. */
export function StoryWriter({ userId, ...writing }: WritingProps & { userId: string }) {
  const { memory, target } = writing;
  const [slot, setPlace] = useState<DraftSlot>();
  useEffect(() => {
    let hasLeft = false;
    const slotPromise = draftSlot({ userId, memoryId: memory.id, story: target });
    void slotPromise.then((slot) => !hasLeft && setPlace(slot));
    return () => {
      hasLeft = true;
      void slotPromise.then(({ release }) => release());
    };
  }, [userId, memory.id, target]);
  return slot ? <WriterForm key={slot.id} {...writing} slot={slot} /> : <WriterSkeleton />;
}
