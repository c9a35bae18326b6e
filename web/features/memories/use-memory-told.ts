import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { SupabaseClient } from "../../lib/database-client.ts";
import { entriesQuery } from "./entries/entries.queries.ts";
import { mediaIn } from "./stories/shown-story.ts";
import { storiesQuery } from "./stories/stories.queries.ts";
import { useStoryMedia } from "./stories/use-story-media.ts";

/**
 * All that is told of a memory beside its photos: stories, moments, and the photos that stand in them. `settled` says
 * that everything has its size, so that nothing moves once it is shown. The description is undefined until it is known.
 */
export function useMemoryTold(client: SupabaseClient, memoryId: string, description: string | undefined) {
  const stories = useQuery(storiesQuery(client, memoryId));
  const entries = useQuery(entriesQuery(client, memoryId));
  const ids = useMemo(
    () => [
      ...mediaIn([description ?? "", ...(stories.data ?? []).map(({ body }) => body)]),
      ...(entries.data ?? []).flatMap(({ media_id }) => media_id ?? []),
    ],
    [description, stories.data, entries.data],
  );
  const { media, settled } = useStoryMedia(client, memoryId, ids);

  // Once shown, a page is not taken away again while the first photo of a story is asked for.
  const [shown, setShown] = useState<string>();
  const now = description !== undefined && !stories.isPending && !entries.isPending && settled;
  if (now && shown !== memoryId) setShown(memoryId);
  return { stories, entries, media, settled: now || shown === memoryId };
}
