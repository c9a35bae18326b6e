import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { optimisticUpdate } from "../lib/request/optimistic-update.ts";
import { refresh } from "../lib/request/refresh.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { queryKeys } from "./query-keys.ts";
import { useRefreshedData } from "./refreshing.ts";

/** A question or challenge of a memory's hosts. */
export type Prompt = Pick<Row<"prompts">, "id" | "text" | "suggestion" | "revision">;

/** A photo, video or recording that answers a prompt. */
export type MediaAnswer = Pick<
  Row<"media">,
  "id" | "type" | "object_name" | "poster_name" | "placeholder" | "pages" | "caption" | "alt_text" | "taken_at"
> & { prompt_id: string };

/** Words that answer a prompt. The name is null where names are not shown. */
export type WordsAnswer = Pick<Row<"comments">, "id" | "body"> & { prompt_id: string; credit: { name: string } | null };

export interface Answers {
  media: MediaAnswer[];
  texts: WordsAnswer[];
}

const MOST_PROMPTS = 100;
/** Of each kind; a card shows the newest and leads to the rest. */
const MOST_ANSWERS = 500;

/** The prompts of a memory in their order. */
export const promptsQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.prompts(memoryId, "list"),
    queryFn: async ({ signal }): Promise<Prompt[]> =>
      client
        .from("prompts")
        .select("id,text,suggestion,revision")
        .eq("memory_id", memoryId)
        .order("position")
        .order("created_at")
        .limit(MOST_PROMPTS)
        .abortSignal(signal)
        .then(unwrap("Failed to load the questions")),
  });

/** The answers to all prompts of a memory, the newest first. */
export const answersQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.prompts(memoryId, "answers"),
    queryFn: async ({ signal }): Promise<Answers> => {
      const [media, stories] = await Promise.all([
        client
          .from("media")
          .select("id,type,object_name,poster_name,placeholder,pages,caption,alt_text,taken_at,prompt_id")
          .eq("memory_id", memoryId)
          .eq("moderation", "shown")
          .not("prompt_id", "is", null)
          .order("created_at", { ascending: false })
          .limit(MOST_ANSWERS)
          .abortSignal(signal)
          .then(unwrap("Failed to load the answers")),
        client
          .from("comments")
          .select("id,body,prompt_id,credit:comment_credits(name)")
          .eq("memory_id", memoryId)
          .eq("moderation", "shown")
          .is("deleted_at", null)
          .not("prompt_id", "is", null)
          .order("created_at", { ascending: false })
          .limit(MOST_ANSWERS)
          .abortSignal(signal)
          .then(unwrap("Failed to load the answers")),
      ]);
      const answers = <Answer extends { prompt_id: string | null }>(rows: readonly Answer[]) =>
        rows.flatMap((row) => (row.prompt_id === null ? [] : [{ ...row, prompt_id: row.prompt_id }]));
      return { media: answers(media), texts: answers(stories) };
    },
  });

/** Shows new prompts and answers live. */
export const usePromptsLive = (client: SupabaseClient, memoryId: string) => {
  const filter = `memory_id=eq.${memoryId}`;
  useRefreshedData(
    client,
    [
      ...["prompts", "media", "comments"].map((table) => ({ event: "*" as const, table, filter })),
      { event: "DELETE", table: "prompts" },
    ],
    [queryKeys.prompts(memoryId)],
  );
};

export interface PromptInput {
  /** The prompt to change; absent for a new one. */
  stored?: Prompt;
  text: string;
  suggestion: string | null;
}

/** Somebody else has changed the prompt since it was loaded. */
export class PromptConflict extends Error {}

/** Adds or changes a prompt. Rejects with {@link PromptConflict} if somebody else has changed it. */
export function useSavePrompt(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ stored, ...fields }: PromptInput) => {
      const { error, status } = stored
        ? await client
            .from("prompts")
            .update({ ...fields, revision: stored.revision })
            .eq("id", stored.id)
        : await client.from("prompts").insert({ memory_id: memoryId, ...fields });
      if (error) throw new (status === 409 ? PromptConflict : Error)("Failed to save the question", { cause: error });
    },
    onSettled: () => refresh(cache, queryKeys.prompts(memoryId)),
  });
}

/** Sets the order of a memory's prompts; an optimistic update. */
export function useArrangePrompts(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (ids: string[]) => {
      await client.rpc("arrange_prompts", { memory_id: memoryId, ids }).then(unwrap("Failed to order the questions"));
    },
    ...optimisticUpdate(cache, {
      queryKey: promptsQuery(client, memoryId).queryKey,
      change: (prompts: Prompt[], ids: string[]) =>
        ids.flatMap((id) => prompts.find((prompt) => prompt.id === id) ?? []),
    }),
  });
}

/** Stores words as an answer; resolves to whether they wait for approval. The id is that of the comment, so that a repeated request stores them once. */
export function useAnswerInWords(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (answer: { id: string; promptId: string; text: string }) => {
      const row = { id: answer.id, memory_id: memoryId, prompt_id: answer.promptId, body: answer.text };
      const { data, error } = await client.from("comments").insert(row).select("moderation").maybeSingle();
      // 23505: an earlier request stored it, and its response was lost.
      if (error && error.code !== "23505") throw new Error("Failed to save the answer", { cause: error });
      return data?.moderation === "held";
    },
    onSettled: () => refresh(cache, queryKeys.prompts(memoryId), queryKeys.comments(memoryId)),
  });
}
