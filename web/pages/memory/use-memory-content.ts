import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { dayQuery } from "../../data/day.queries.ts";
import { type Story, storiesQuery } from "../../data/stories.queries.ts";
import { type Entry, entriesQuery } from "../../data/timeline.queries.ts";
import { isPast } from "../../features/day/day-times.ts";
import { mediaIn } from "../../features/stories/shown-story.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { useStoryMedia } from "../../media/use-story-media.ts";

/**
 * The stories, the timeline and the day of a memory, and the photos in them. `settled` is true once the sizes of all of
 * them are known, so that nothing moves after it is shown. `description` is undefined until it is loaded.
 */
export function useMemoryContent(client: SupabaseClient, memoryId: string, description: string | undefined) {
  const stories = useQuery(storiesQuery(client, memoryId));
  const entries = useQuery(entriesQuery(client, memoryId));
  const day = useQuery(dayQuery(client, memoryId));
  const ids = useMemo(
    () => placedMedia(description, stories.data, entries.data),
    [description, stories.data, entries.data],
  );
  const { media, settled } = useStoryMedia(client, memoryId, ids);

  // A shown page stays while the first photo of a story is being loaded.
  const [shownMemory, setShown] = useState<{ memoryId: string; isDayPast: boolean }>();
  const now = description !== undefined && !stories.isPending && !entries.isPending && !day.isPending && settled;
  const isShown = shownMemory?.memoryId === memoryId;
  // The day keeps its place while the page is open, because a part may be in its form there.
  const isDayPast = isShown ? shownMemory.isDayPast : !!day.data?.length && isPast(day.data, serverNow());
  if (now && !isShown) setShown({ memoryId, isDayPast });
  return { stories, entries, day, isDayPast, media, settled: now || isShown };
}

/** The ids of the photos in a memory's stories and timeline. */
export const placedMedia = (
  description = "",
  stories: readonly Story[] = [],
  entries: readonly Entry[] = [],
): string[] => [
  ...mediaIn([description, ...stories.map(({ body }) => body)]),
  ...entries.flatMap(({ media_id }) => media_id ?? []),
];

export type MemoryContentQueries = Pick<
  ReturnType<typeof useMemoryContent>,
  "stories" | "entries" | "day" | "isDayPast" | "media"
>;

// Estimated heights in a column, in CSS pixels.
const [CHARACTER, PICTURE, MOMENT] = [0.4, 400, 120];

/** The height in pixels that may stay empty below a short story, less than the width beside it would. */
const LARGEST_GAP = 480;

/** Whether the timeline or programme stands beside the story: not if much of the page stayed empty below the story. */
export function standsBesideStory(
  { description }: { description: string },
  { stories, entries }: MemoryContentQueries,
): boolean {
  const texts = [description, ...(stories.data ?? []).map(({ body }) => body)];
  const story = texts.join("").length * CHARACTER + mediaIn(texts).length * PICTURE;
  const life = (entries.data ?? []).length * MOMENT;
  return story > 0 && (story > 0.75 * life || life - story < LARGEST_GAP);
}
