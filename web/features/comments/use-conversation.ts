import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { type Commenter, useCommenter } from "../../actions/commenter.ts";
import { usePictures } from "../../data/avatars.queries.ts";
import { browserStorage } from "../../lib/browser/storage.ts";
import { useStore } from "../../lib/browser/store.ts";
import { useLatest } from "../../lib/browser/use-latest.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { currentSession } from "../../lib/session/session.ts";
import type { Subject } from "./comment.ts";
import { useIsDeleted } from "./comment-deletions.queries.ts";
import { commentsQuery, peopleQuery, useSendComment } from "./comments.queries.ts";
import type { MemoryPerson } from "./mention.ts";
import { Outbox, type Unsent } from "./outbox.ts";
import { countOf, reactionsOf, threadsOf, withoutDeleted } from "./threads.ts";

const NOBODY: MemoryPerson[] = [];

/** A conversation's client and the reader's permissions in the memory. */
export interface ConversationContext {
  client: SupabaseClient;
  of: Subject;
  rights: { comment: boolean; manage: boolean };
}

/** A conversation: its threads, comments being sent, and the reader. */
export function useConversation({ client, of, rights }: ConversationContext) {
  const commenter: Commenter = useCommenter(rights);
  const query = useInfiniteQuery(commentsQuery(client, of));
  const people = useQuery({ ...peopleQuery(client, of.memoryId), enabled: commenter.me !== undefined }).data ?? NOBODY;
  const isDeleted = useIsDeleted();
  const pages = query.data?.pages;
  const threads = useMemo(() => withoutDeleted(threadsOf(pages ?? []), isDeleted), [pages, isDeleted]);
  const reactions = useMemo(() => reactionsOf(pages ?? []), [pages]);
  const { unsent, ...outbox } = useOutbox(client, of, commenter.me?.id);
  // Realtime may deliver a comment before the response to its request.
  const known = useMemo(
    () => new Set(threads.flatMap(({ head, answers }) => [head.id, ...answers.map(({ id }) => id)])),
    [threads],
  );
  const underway = useMemo(() => unsent.filter(({ id }) => !known.has(id)), [unsent, known]);
  const authors = useMemo(
    () => threads.flatMap(({ head, answers }) => [head, ...answers].map(({ picture }) => picture)),
    [threads],
  );
  const avatars = usePictures(client, `comments-${of.memoryId}-${of.mediaId}`, authors);
  return {
    client,
    of,
    query,
    threads,
    avatars,
    count: countOf(threads),
    reactions,
    people,
    commenter,
    outbox,
    underway,
  };
}

export type ConversationState = ReturnType<typeof useConversation>;

let opened: Outbox | undefined;

function openOutbox(): Outbox {
  if (opened) return opened;
  const outbox = new Outbox(browserStorage);
  // Signing out deletes drafts.
  currentSession.subscribe(() => currentSession.get().state === "signed out" && outbox.clear());
  opened = outbox;
  return outbox;
}

const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

/** Tries now, whenever the connection returns, and after growing pauses. Returns the function that ends it. */
function repeatedly(attempt: () => Promise<void>): () => void {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_PAUSE_MS;
  const run = async () => {
    clearTimeout(timer);
    await attempt();
    if (ended.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(run, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  };
  window.addEventListener("online", run, { signal: ended.signal });
  void run();
  return () => {
    ended.abort();
    clearTimeout(timer);
  };
}

/** Comments being sent, and the functions to send, retry and discard them. */
function useOutbox(client: SupabaseClient, of: Subject, userId: string | undefined) {
  const outbox = openOutbox();
  const all = useStore(outbox.unsent);
  const deliver = useLatest(useSendComment(client));
  const { memoryId, mediaId } = of;
  const unsent = useMemo(
    () => all.filter((one) => one.userId === userId && one.memoryId === memoryId && one.mediaId === mediaId),
    [all, userId, memoryId, mediaId],
  );
  // Also those of the memory's photos, whose conversations may be closed by now.
  const waits = all.some((one) => one.state === "waiting" && one.userId === userId && one.memoryId === memoryId);
  useEffect(() => {
    if (!waits || userId === undefined) return;
    return repeatedly(() => outbox.sendWaiting({ userId, memoryId }, deliver.current));
  }, [waits, outbox, userId, memoryId]);
  return {
    unsent,
    send(written: { parentId: string | null; body: string; mentions: string[] }) {
      if (userId === undefined) return;
      const at = new Date().toISOString();
      void outbox.send({ id: crypto.randomUUID(), userId, memoryId, mediaId, at, ...written }, deliver.current);
    },
    again: ({ state: _failed, ...unsent }: Unsent) => void outbox.send(unsent, deliver.current),
    forget: (id: string) => outbox.forget(id),
  };
}
