import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { allRows, inPages, type PageOrder } from "../lib/request/in-pages.ts";
import { refresh } from "../lib/request/refresh.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { queryKeys } from "./query-keys.ts";
import { useRefreshedData, useRefreshingMutation } from "./refreshing.ts";

/** A question about photos to one person, as managers and the member who asked see it. */
export type Letter = Pick<
  Row<"photo_letters">,
  "id" | "recipient" | "note" | "media_ids" | "created_at" | "expires_at" | "withdrawn_at" | "asked_by" | "is_open"
>;

const LETTER = "id,recipient,note,media_ids,created_at,expires_at,withdrawn_at,asked_by,is_open" as const;
const NEWEST_FIRST: PageOrder<Letter> = [
  ["created_at", "down"],
  ["id", "up"],
];

/** The questions about a memory's photos that the reader may see, the newest first. */
export const lettersQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.letters(memoryId, "list"),
    queryFn: ({ signal }) =>
      allRows<Letter>((page) => {
        const request = client.from("photo_letters").select(LETTER).eq("memory_id", memoryId);
        return inPages(request, NEWEST_FIRST, page).abortSignal(signal).then(unwrap("Failed to load the questions"));
      }),
  });

const ANSWER =
  "id,letter_id,about,answer,state,created_at,letter:photo_letters(recipient),photo:media!inner(id,memory_id,type,object_name,poster_name,placeholder,width,height,colour,caption,alt_text,back_text,taken_at,revision,details:media_details(taken_at,taken_source))" as const;
const OLDEST_FIRST = [
  ["created_at", "up"],
  ["id", "up"],
] as const;

const readAnswers = (client: SupabaseClient, memoryId: string) =>
  client.from("photo_answers").select(ANSWER).eq("memory_id", memoryId);

/** An answer about a photo, with its photo and the name of the person who gave it. */
export type PhotoAnswer = NonNullable<Awaited<ReturnType<typeof readAnswers>>["data"]>[number];
export type AnswerState = PhotoAnswer["state"];

/** The answers about a memory's photos, for its managers, in the order in which they came. */
export const answersQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.letters(memoryId, "answers"),
    queryFn: ({ signal }) =>
      allRows<PhotoAnswer>((page) =>
        inPages(readAnswers(client, memoryId), OLDEST_FIRST, page)
          .abortSignal(signal)
          .then(unwrap("Failed to load the answers")),
      ),
  });

/** Shows new answers and ended questions live. */
export const useLettersLive = (client: SupabaseClient, memoryId: string) =>
  useRefreshedData(
    client,
    [
      { event: "*", table: "photo_letters", filter: `memory_id=eq.${memoryId}` },
      { event: "*", table: "photo_answers", filter: `memory_id=eq.${memoryId}` },
      { event: "DELETE", table: "photo_answers" },
    ],
    [queryKeys.letters(memoryId)],
  );

/** Why a question was not asked: the hint of the database's refusal. */
export class AskRefusal extends Error {
  constructor(
    readonly code: string,
    cause: unknown,
  ) {
    super("The question was not asked", { cause });
  }
}

interface AskInput {
  /** The new letter's id; asking again with the same one makes no second letter. */
  id: string;
  mediaIds: readonly string[];
  recipient: string;
  note: string;
}

/** Returns a mutation that asks one person about photos. Resolves to the key of the link, or rejects with {@link AskRefusal}. */
export function useAskAboutPhotos(client: SupabaseClient, memoryId: string) {
  return useRefreshingMutation([queryKeys.letters(memoryId)], async ({ id, mediaIds, recipient, note }: AskInput) => {
    const { data, error } = await client.rpc("ask_about_photos", {
      letter_id: id,
      memory_id: memoryId,
      media_ids: [...mediaIds],
      recipient,
      note,
    });
    if (error) throw new AskRefusal(error.hint || "failed", error);
    return data;
  });
}

/** Returns a mutation that gives a question a new link; resolves to its key. The earlier link ends. */
export function useRenewLetter(client: SupabaseClient, memoryId: string) {
  return useRefreshingMutation([queryKeys.letters(memoryId)], async (letterId: string) =>
    client.rpc("renew_letter", { letter_id: letterId }).then(unwrap("Failed to make a new link")),
  );
}

/** Returns a mutation that withdraws a question, or opens it again. */
export function useWithdrawLetter(client: SupabaseClient, memoryId: string) {
  return useRefreshingMutation(
    [queryKeys.letters(memoryId)],
    async ({ id, withdrawn }: { id: string; withdrawn: boolean }) => {
      await client
        .from("photo_letters")
        .update({ withdrawn_at: withdrawn ? "now" : null })
        .eq("id", id)
        .then(unwrap("Failed to change the question"));
    },
  );
}

/** Returns a mutation that sets what managers did with an answer. */
export function useDecideAnswer(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    scope: { id: `answers-${memoryId}` },
    mutationFn: async ({ id, state }: { id: string; state: AnswerState }) => {
      await client
        .from("photo_answers")
        .update({ state })
        .eq("id", id)
        .then(unwrap("Failed to decide about the answer"));
    },
    onSettled: () => refresh(cache, queryKeys.letters(memoryId)),
  });
}
