import { useEffect, useMemo } from "react";
import { useStore } from "../../lib/browser/store.ts";
import { useLatest } from "../../lib/browser/use-latest.ts";
import { useGuest } from "../../lib/session/guest.ts";
import { pageOutbox } from "./page-outbox.ts";
import { ownerOf, type WaitingWrite } from "./waiting-write.ts";

/** The owner of what this author writes on this page; undefined without an author. */
export function useOwner(authorId: string | undefined): string | undefined {
  const { shareId } = useGuest();
  return authorId === undefined ? undefined : ownerOf(authorId, shareId);
}

/** An owner's writes in a memory that the server does not have, in order. */
export function useUnsent(owner: string | undefined, memoryId?: string): readonly WaitingWrite[] {
  const entries = useStore(pageOutbox().entries);
  return useMemo(
    () => entries.filter((one) => one.owner === owner && (memoryId === undefined || one.memoryId === memoryId)),
    [entries, owner, memoryId],
  );
}

/** Calls back with each write of a memory that the server has, before it disappears from the entries. */
export function useSent(memoryId: string, onSent: (write: WaitingWrite, isLate: boolean) => unknown) {
  const latest = useLatest(onSent);
  useEffect(
    () =>
      pageOutbox().onStored((write, isLate) =>
        write.memoryId === memoryId ? latest.current(write, isLate) : undefined,
      ),
    [memoryId],
  );
}
