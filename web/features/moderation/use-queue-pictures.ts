import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { mediaUrlsQuery } from "../../data/media.queries.ts";
import type { QueueItem } from "../../data/moderation.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";

/** Signed URLs of the items' pictures by object name: of the photo, or of a video's poster. */
export function useQueuePictures(memoryId: string, items: readonly QueueItem[]): Record<string, string> {
  const [photos, posters] = useMemo(() => {
    const media = items.flatMap((item) => item.media ?? []);
    return [
      media.filter(({ type }) => type === "image").map(({ object_name }) => object_name),
      media.flatMap(({ poster_name }) => poster_name ?? []),
    ];
  }, [items]);
  const ofPhotos = useQuery(mediaUrlsQuery(supabase, `waiting ${memoryId}`, photos)).data;
  const ofPosters = useQuery(mediaUrlsQuery(supabase, `waiting ${memoryId}`, posters, "posters")).data;
  return { ...ofPhotos, ...ofPosters };
}
