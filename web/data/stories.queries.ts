import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import { withAccountIds } from "../lib/request/account-ids.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { optimisticUpdate } from "../lib/request/optimistic-update.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { mediaUrlsQuery } from "./media.queries.ts";
import { queryKeys } from "./query-keys.ts";
import { useRefreshedData } from "./refreshing.ts";

export type Story = Pick<
  Row<"stories">,
  "id" | "memory_id" | "title" | "body" | "position" | "moderation" | "created_at" | "updated_at" | "revision"
> & {
  /** The author's account; absent for readers without an account. */
  user_id?: string | null;
  /** The author's name; null if there is none or the reader may not see it. */
  credit: { name: string } | null;
};

const COLUMNS =
  "id,memory_id,title,body,position,moderation,created_at,updated_at,revision,credit:story_credits(name)" as const;

/** A memory's stories in the managers' order. */
export const storiesQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.stories(memoryId),
    queryFn: async ({ signal }): Promise<Story[]> =>
      client
        .from("stories")
        .select(withAccountIds(client, COLUMNS, "user_id"))
        .eq("memory_id", memoryId)
        .order("position")
        .order("created_at")
        .abortSignal(signal)
        .then(unwrap("Failed to load stories")),
  });

/** Shows changes to stories live. */
export const useStoriesLive = (client: SupabaseClient, memoryId: string) =>
  useRefreshedData(
    client,
    [
      { event: "*", table: "stories", filter: `memory_id=eq.${memoryId}` },
      { event: "DELETE", table: "stories" },
    ],
    [storiesQuery(client, memoryId).queryKey],
  );

/** Changes the shown list of stories at once, and reverts it if the change fails. */
function useChange<Wish>(
  client: SupabaseClient,
  memoryId: string,
  change: (stories: Story[], wish: Wish) => Story[],
  send: (wish: Wish) => PromiseLike<{ error: unknown }>,
) {
  const cache = useQueryClient();
  const { queryKey } = storiesQuery(client, memoryId);
  return useMutation({
    mutationFn: async (change: Wish) => {
      await send(change).then(unwrap("Failed to change stories"));
    },
    ...optimisticUpdate(cache, { queryKey, change }),
  });
}

/** Sets the order of a memory's stories. */
export const useArrangeStories = (client: SupabaseClient, memoryId: string) =>
  useChange(
    client,
    memoryId,
    (stories, ids: string[]) => ids.flatMap((id) => stories.find((story) => story.id === id) ?? []),
    (ids) => client.rpc("arrange_stories", { memory_id: memoryId, ids }),
  );

/** Hides a story from all but its author and the managers, or shows it. */
export const useModerateStory = (client: SupabaseClient, memoryId: string) =>
  useChange(
    client,
    memoryId,
    (stories, { id, moderation }: Pick<Story, "id" | "moderation">) =>
      stories.map((story) => (story.id === id ? { ...story, moderation } : story)),
    ({ id, moderation }) => client.from("stories").update({ moderation }).eq("id", id),
  );

/** A photo in a story or timeline entry, or a recording in a story. */
export type StoryMedia = Pick<
  Row<"media">,
  | "id"
  | "object_name"
  | "width"
  | "height"
  | "placeholder"
  | "colour"
  | "caption"
  | "alt_text"
  | "taken_at"
  | "type"
  | "pages"
  | "duration"
  | "peaks"
>;

const MEDIA = "id,object_name,width,height,placeholder,colour,caption,alt_text,taken_at,type,pages,duration,peaks";

/** The photos and recordings with these ids, if they are in the memory and the client may see them. */
export function storyMediaQuery(client: SupabaseClient, memoryId: string, wantedIds: readonly string[]) {
  const ids = [...new Set(wantedIds)].sort();
  return queryOptions({
    queryKey: queryKeys.storyMedia(memoryId, ids),
    queryFn: async ({ signal }): Promise<StoryMedia[]> =>
      client
        .from("media")
        .select(MEDIA)
        .eq("memory_id", memoryId)
        .in("id", ids)
        .abortSignal(signal)
        .then(unwrap("Failed to load photos")),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** The names of the pictures among photos and recordings; a recording is drawn from its row. */
export const pictureNames = (media: readonly StoryMedia[]): string[] =>
  media.flatMap(({ type, object_name }) => (type === "audio" ? [] : object_name));

/** Signed URLs of the photos in a memory's stories and timeline. */
export const storyMediaUrlsQuery = (client: SupabaseClient, memoryId: string, media: readonly StoryMedia[]) =>
  mediaUrlsQuery(client, `stories-${memoryId}`, pictureNames(media).sort());

const CHOICES = 48;

/** A page of the photos of a memory that a story or moment may contain, and with `sounds` of its recordings. */
export const choosableMediaQuery = (client: SupabaseClient, memoryId: string, sounds: boolean) =>
  infiniteQueryOptions({
    queryKey: queryKeys.storyMedia(memoryId, sounds ? "choices with sounds" : "choices"),
    queryFn: async ({ pageParam, signal }): Promise<StoryMedia[]> =>
      client
        .from("media")
        .select(MEDIA)
        .match({ memory_id: memoryId, state: "ready", moderation: "shown" })
        // Not a list, which the server reads as one text: the planner could not compare it with the index of choices.
        .or(sounds ? "type.eq.image,type.eq.audio" : "type.eq.image")
        .order("taken_order", { ascending: true, nullsFirst: false })
        .order("time_order", { ascending: true, nullsFirst: true })
        .order("created_at")
        .order("id")
        .range(pageParam, pageParam + CHOICES - 1)
        .abortSignal(signal)
        .then(unwrap("Failed to load photos")),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length === CHOICES ? pages.length * CHOICES : undefined),
    staleTime: 0,
  });
