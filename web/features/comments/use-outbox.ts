import { useMemo } from "react";
import { browserStorage } from "../../lib/browser/storage.ts";
import { useStore } from "../../lib/browser/store.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { currentSession } from "../../lib/session/session.ts";
import type { Subject } from "./comment.ts";
import { useSendComment } from "./comments.queries.ts";
import { Outbox, type Unsent } from "./outbox.ts";

let opened: Outbox | undefined;

function openOutbox(): Outbox {
  if (opened) return opened;
  const outbox = new Outbox(browserStorage);
  // Whoever signs out leaves no words behind.
  currentSession.subscribe(() => currentSession.get().state === "signed out" && outbox.clear());
  opened = outbox;
  return outbox;
}

/** What somebody has sent to a conversation and is not there yet, and the ways to send and to give up. */
export function useOutbox(client: SupabaseClient, of: Subject, userId: string | undefined) {
  const outbox = openOutbox();
  const all = useStore(outbox.unsent);
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
