import { queryOptions } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { allRows, inPages } from "../lib/request/in-pages.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { waitingQuery } from "./moderation.queries.ts";
import { queryKeys } from "./query-keys.ts";
import { useRefreshedData, useRefreshingMutation } from "./refreshing.ts";

const REQUEST =
  "id,wish,words,name,email,created_at,picture:media!inner(id,type,pages,state,object_name,poster_name,placeholder,colour,width,height,edit,animated,revision)" as const;
const OLDEST_FIRST = [
  ["created_at", "up"],
  ["id", "up"],
] as const;

const readRequests = (client: SupabaseClient, memoryId: string) =>
  client.from("picture_requests").select(REQUEST).eq("memory_id", memoryId).eq("state", "open");

/** A wish of somebody in a picture that it is blurred or hidden, with the picture, for managers. */
export type PictureRequest = NonNullable<Awaited<ReturnType<typeof readRequests>>["data"]>[number];

/** The open requests about a memory's pictures, in the order in which they came. */
export const pictureRequestsQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.pictureRequests(memoryId),
    queryFn: ({ signal }) =>
      allRows<PictureRequest>((page) =>
        inPages(readRequests(client, memoryId), OLDEST_FIRST, page)
          .abortSignal(signal)
          .then(unwrap("Failed to load the requests")),
      ),
  });

/** Shows new and decided requests live. */
export const usePictureRequestsLive = (client: SupabaseClient, memoryId: string) =>
  useRefreshedData(
    client,
    [
      { event: "*", table: "picture_requests", filter: `memory_id=eq.${memoryId}` },
      { event: "DELETE", table: "picture_requests" },
    ],
    [queryKeys.pictureRequests(memoryId), waitingQuery(client).queryKey],
  );

/** The last request of an account about a picture, with what was decided; null without one. */
export const ownRequestQuery = (client: SupabaseClient, userId: string, mediaId: string) =>
  queryOptions({
    queryKey: queryKeys.ownPictureRequest(userId, mediaId),
    queryFn: async ({ signal }): Promise<Pick<Row<"picture_requests">, "id" | "state" | "answer"> | null> =>
      client
        .from("picture_requests")
        .select("id,state,answer")
        .eq("user_id", userId)
        .eq("media_id", mediaId)
        .order("created_at", { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .maybeSingle()
        .then(unwrap("Failed to load the request")),
  });

interface DecidedRequest {
  id: string;
  state: "open" | "done" | "declined";
  /** The managers' words about it. */
  answer?: string;
}

/** Returns a mutation that decides on a request, or opens it again. */
export const useDecideRequest = (client: SupabaseClient, memoryId: string) =>
  useRefreshingMutation(
    [queryKeys.pictureRequests(memoryId), waitingQuery(client).queryKey],
    async ({ id, ...decision }: DecidedRequest) => {
      await client
        .from("picture_requests")
        .update(decision)
        .eq("id", id)
        .select("id")
        .single()
        .then(unwrap("Failed to decide on the request"));
    },
  );
