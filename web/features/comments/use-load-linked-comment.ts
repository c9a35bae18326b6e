import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "react-router";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { commentIn } from "./anchor.ts";
import type { Subject } from "./comment.ts";
import { threadPositionQuery } from "./linked-comment.queries.ts";
import { isBefore, type Page, type Thread } from "./threads.ts";

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
