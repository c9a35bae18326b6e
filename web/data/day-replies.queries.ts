import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { refresh } from "../lib/request/refresh.ts";
import { serverNow } from "../lib/request/server-clock.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { queryKeys } from "./query-keys.ts";
import { useRefreshedData } from "./refreshing.ts";

export type ReplySettings = Omit<Row<"day_reply_settings">, "memory_id">;
export type Question = ReplySettings["questions"][number];

/** A reply of a person or household. The answer is null for an invitation without one. */
export type DayReply = Pick<
  Row<"day_replies">,
  | "id"
  | "guest_id"
  | "answer"
  | "names"
  | "part_ids"
  | "note"
  | "answers"
  | "most"
  | "waiting_since"
  | "created_at"
  | "updated_at"
  | "revision"
>;
/** A reply as its memory's managers see it. */
export type HostReply = DayReply & Pick<Row<"day_replies">, "user_id" | "invited_at">;
export type Answer = NonNullable<DayReply["answer"]>;

/** Who replies: a guest of a link or an account. */
export interface Replier {
  column: "guest_id" | "own_id";
  id: string;
}

const COLUMNS =
  "id,guest_id,answer,names,part_ids,note,answers,most,waiting_since,created_at,updated_at,revision" as const;
/** The database accepts no more replies to a memory's day. */
const MOST_REPLIES = 1000;
const MOST_LINKS = 20;

/** How people reply to a memory's day; null if no part that the reader sees asks for it. */
export const replySettingsQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.dayReplies(memoryId, "settings"),
    queryFn: async ({ signal }): Promise<ReplySettings | null> =>
      client
        .from("day_reply_settings")
        .select("closes_at,time_zone,places,waiting_list,questions,revision")
        .eq("memory_id", memoryId)
        .abortSignal(signal)
        .maybeSingle()
        .then(unwrap("Failed to load the settings of replies")),
  });

/** The reader's own reply; null without one. */
export const ownReplyQuery = (client: SupabaseClient, memoryId: string, by: Replier) =>
  queryOptions({
    queryKey: queryKeys.dayReplies(memoryId, "own", by.id),
    queryFn: async ({ signal }): Promise<DayReply | null> =>
      client
        .from("day_replies")
        .select(COLUMNS)
        .eq("memory_id", memoryId)
        .eq(by.column, by.id)
        .abortSignal(signal)
        .maybeSingle()
        .then(unwrap("Failed to load your reply")),
  });

/** All replies to a memory's day, for its managers, in the order in which they came. */
export const repliesQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.dayReplies(memoryId, "all"),
    queryFn: async ({ signal }): Promise<HostReply[]> =>
      client
        .from("day_replies")
        .select(`${COLUMNS},user_id,invited_at` as const)
        .eq("memory_id", memoryId)
        .order("created_at")
        .order("id")
        .limit(MOST_REPLIES)
        .abortSignal(signal)
        .then(unwrap("Failed to load the replies")),
  });

/** Shows changes of replies and of their settings live, as far as the client may see them. */
export const useRepliesLive = (client: SupabaseClient, memoryId: string) =>
  useRefreshedData(
    client,
    [
      { event: "*", table: "day_replies", filter: `memory_id=eq.${memoryId}` },
      { event: "*", table: "day_reply_settings", filter: `memory_id=eq.${memoryId}` },
      { event: "DELETE", table: "day_replies" },
    ],
    [queryKeys.dayReplies(memoryId)],
  );

/** A reply as it is saved. Managers name the reply; others save their own. */
export interface ReplyInput extends Pick<DayReply, "answer" | "names" | "part_ids" | "note" | "answers"> {
  /** The revision of the stored reply; null for a new one. */
  revision: number | null;
  id?: string;
  most?: number | null;
}

/** Why a reply was not saved: the hint of the database's refusal, with its detail. */
export class ReplyRefusal extends Error {
  constructor(
    readonly code: string,
    readonly detail: string | null,
    cause: unknown,
  ) {
    super("The reply was not saved", { cause });
  }
}

/** Saves a reply; the same one again, e.g. after a lost answer, changes nothing. Rejects with {@link ReplyRefusal}. */
export function useSaveReply(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, ...reply }: ReplyInput) => {
      const { data, error } = await client.rpc("save_day_reply", {
        memory_id: memoryId,
        ...reply,
        ...(id !== undefined && { reply_id: id }),
      });
      if (error) throw new ReplyRefusal(error.hint || "failed", error.details || null, error);
      return data;
    },
    onSettled: () => refresh(cache, queryKeys.dayReplies(memoryId)),
  });
}

/** The memory's links by which a household can be invited, the first one first. */
export const householdLinksQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.dayReplies(memoryId, "links"),
    queryFn: async ({ signal }): Promise<Pick<Row<"share_links">, "id" | "share_id" | "label">[]> =>
      client
        .from("share_links")
        .select("id,share_id,label")
        .eq("memory_id", memoryId)
        .is("revoked_at", null)
        .is("for_card", false)
        .neq("rights", "upload")
        .or(`expires_at.is.null,expires_at.gt.${new Date(serverNow()).toISOString()}`)
        .order("is_first", { ascending: false })
        .order("created_at")
        .limit(MOST_LINKS)
        .abortSignal(signal)
        .then(unwrap("Failed to load the links")),
  });

/** Makes the personal link of a household by a link of the memory. Resolves to its key, which is told only once. */
export async function inviteHousehold(
  client: SupabaseClient,
  { replyId, linkId }: { replyId: string; linkId: string },
): Promise<string> {
  return client
    .rpc("invite_to_day", { reply_id: replyId, link_id: linkId })
    .then(unwrap("Failed to make the household's link"));
}

export type ReplySettingsInput = Omit<ReplySettings, "revision"> & {
  part_ids: string[];
  /** The revision of the stored settings; null for the first ones. */
  revision: number | null;
};

/** Saves how people reply and which parts ask. Rejects with {@link ReplyRefusal}. */
export function useSaveReplySettings(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (input: ReplySettingsInput) => {
      const { error } = await client.rpc("save_day_reply_settings", { memory_id: memoryId, ...input });
      if (error) throw new ReplyRefusal(error.hint || "failed", error.details || null, error);
    },
    onSettled: () => refresh(cache, queryKeys.dayReplies(memoryId), queryKeys.day(memoryId)),
  });
}
