import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Returned } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { useRefreshingMutation } from "../../../data/refreshing.ts";
import { callFunction } from "../../../lib/request/call-function.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { lastOf } from "../../../lib/request/in-pages.ts";
import { requestAsUser } from "../../../lib/request/supabase.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";

export type SystemState = Returned<"desk_system"> & {
  version: string;
  node: string;
  started_at: string;
  /** The address of a proxy before the server that `TRUST_PROXY` does not name; null without one. */
  untrusted_proxy: string | null;
  disk: { bytes: number; free: number };
  settings: { name: string; isSet: boolean; value: string | null }[];
};
export type MessageRow = Returned<"desk_outbox">[number];

export const OUTBOX_KINDS = ["dead", "waiting"] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

/** The page size of the database function. */
const PAGE = 50;

export const systemQuery = (client: SupabaseClient) =>
  queryOptions({
    queryKey: queryKeys.deskSystem("state"),
    queryFn: async (): Promise<SystemState> => {
      const { data } = await client.auth.getSession();
      const bearer = data.session ? { bearer: data.session.access_token } : {};
      return callFunction<SystemState>("desk-system", {}, { ...bearer, request: requestAsUser });
    },
    refetchInterval: 15_000,
  });

export type FileFailures = Returned<"desk_file_failures">;

/** The files that could not be prepared. */
export const fileFailuresQuery = (client: SupabaseClient) =>
  queryOptions({
    queryKey: queryKeys.deskSystem("files"),
    queryFn: async ({ signal }): Promise<FileFailures> =>
      client.rpc("desk_file_failures").abortSignal(signal).then(unwrap("Failed to load the files")),
  });

/** Prepares a file again that was given up. */
export const useRetryFile = (client: SupabaseClient) =>
  useRefreshingMutation(
    [queryKeys.deskSystem(), queryKeys.audit()],
    async ({ object_id: object, job }: Pick<FileFailures["files"][number], "object_id" | "job">) => {
      await client.rpc("retry_file", { object, job }).then(unwrap("Failed to prepare the file again"));
    },
  );

export type ReadBack = Returned<"desk_read_back">;

/** The round that reads stored files again, and the files that are damaged. */
export const readBackQuery = (client: SupabaseClient) =>
  queryOptions({
    queryKey: queryKeys.deskSystem("read-back"),
    queryFn: async ({ signal }): Promise<ReadBack> =>
      client.rpc("desk_read_back").abortSignal(signal).then(unwrap("Failed to load the damaged files")),
  });

/** Has all damaged files read and repaired again. */
export const useRetryReadBack = (client: SupabaseClient) =>
  useRefreshingMutation([queryKeys.deskSystem(), queryKeys.audit()], async () => {
    await client.rpc("retry_read_back").then(unwrap("Failed to read the files again"));
  });

/** Failed or waiting emails and text messages. */
export const outboxQuery = (client: SupabaseClient, kind: OutboxKind) =>
  infiniteQueryOptions({
    queryKey: queryKeys.deskSystem("outbox", kind),
    queryFn: async ({ pageParam, signal }): Promise<MessageRow[]> =>
      client
        .rpc("desk_outbox", { kind, before_at: pageParam?.due_at, before_id: pageParam?.id })
        .abortSignal(signal)
        .then(unwrap("Failed to load the messages")),
    initialPageParam: undefined as Pick<MessageRow, "id" | "due_at"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
  });

/** Sends a message again at once. */
export const useRetryMessage = (client: SupabaseClient) =>
  useRefreshingMutation([queryKeys.deskSystem(), queryKeys.audit()], async (message: string) => {
    await client.rpc("retry_message", { message }).then(unwrap("Failed to send the message again"));
  });
