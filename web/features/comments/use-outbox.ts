import { useMemo, useSyncExternalStore } from "react";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { currentSession, onSessionChange } from "../../lib/session/session.ts";
import type { Subject } from "./comment.ts";
import { useSendComment } from "./comments.queries.ts";
import { Outbox, type Unsent } from "./outbox.ts";

const outbox = new Outbox(localStorage);
// Whoever signs out leaves no words behind.
onSessionChange(() => {
  if (currentSession().state === "signed out") outbox.clear();
});

/** What somebody has sent to a conversation and is not there yet, and the ways to send and to give up. */
export function useOutbox(client: SupabaseClient, of: Subject, userId: string | undefined) {
  const all = useSyncExternalStore(outbox.subscribe, outbox.snapshot);
  const deliver = useSendComment(client, of);
  const { memoryId, mediaId } = of;
  const unsent = useMemo(
    () => all.filter((one) => one.userId === userId && one.memoryId === memoryId && one.mediaId === mediaId),
    [all, userId, memoryId, mediaId],
  );
  return {
    unsent,
    send(written: { parentId: string | null; body: string; mentions: string[] }) {
      if (userId === undefined) return;
      const at = new Date().toISOString();
      void outbox.send({ id: crypto.randomUUID(), userId, memoryId, mediaId, at, ...written }, deliver);
    },
    again: ({ state: _failed, ...unsent }: Unsent) => void outbox.send(unsent, deliver),
    forget: (id: string) => outbox.forget(id),
  };
}
