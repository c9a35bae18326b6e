import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "react-router";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { commentIn } from "./anchor.ts";
import type { Subject } from "./comment.ts";
import { type Cursor, isBefore, type Page, type Thread } from "./threads.ts";

interface Reading {
  data: { pages: Page[] } | undefined;
  isFetching: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/**
 * Reads a conversation on until the comment that the address leads to is there, as a notice may lead to one older than
 * what is read at first. Reads nothing where it is there already, or not in this conversation.
 */
export function useLoadLinkedComment(
  client: SupabaseClient,
  of: Subject,
  reading: Reading,
  threads: readonly Thread[],
) {
  const id = commentIn(useLocation().hash);
  const { data, isFetching, isError, fetchNextPage } = reading;
  const end = data?.pages.at(-1)?.next;
  const isHere = threads.some(({ head, answers }) => head.id === id || answers.some((answer) => answer.id === id));
  const sought = id !== undefined && end !== undefined && !isHere;
  const draftKey = useQuery({ ...threadPositionQuery(client, of, id ?? ""), enabled: sought }).data;
  const isOlder = sought && !!draftKey && isBefore(draftKey, end);
  useEffect(() => {
    if (isOlder && !isFetching && !isError) void fetchNextPage();
  }, [isOlder, isFetching, isError, fetchNextPage]);
}

type Found = Cursor & { parent_id: string | null };

/** Where the thread of a comment stands in its conversation; null where it is not there for the client's bearer. */
const threadPositionQuery = (client: SupabaseClient, { memoryId, mediaId }: Subject, commentId: string) =>
  queryOptions({
    queryKey: queryKeys.linkedComment(memoryId, mediaId, commentId),
    queryFn: async ({ signal }): Promise<Cursor | null> => {
      const read = async (id: string): Promise<Found | null> => {
        const asked = client.from("comments").select("id,parent_id,created_at").eq("id", id).eq("memory_id", memoryId);
        return await (mediaId === null ? asked.is("media_id", null) : asked.eq("media_id", mediaId))
          .abortSignal(signal)
          .maybeSingle()
          .then(unwrap("Failed to find the comment"));
      };
      const found = await read(commentId);
      return found?.parent_id ? read(found.parent_id) : found;
    },
  });
