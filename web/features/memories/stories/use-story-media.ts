import type { SupabaseClient } from "@supabase/supabase-js";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { mediaUrlsQuery } from "../../media/media.queries.ts";
import { type StoryMedia, storyMediaQuery } from "./stories.queries.ts";

/** A photo with its signed address, once it has one. */
export interface PlacedMedia extends StoryMedia {
  url: string | undefined;
}

const NO_MEDIA: StoryMedia[] = [];
const NO_URLS: Record<string, string> = {};

/** The photos with these ids by id, with their addresses; undefined until they are known. */
export function useStoryMedia(client: SupabaseClient, memoryId: string, ids: readonly string[]) {
  const wanted = useMemo(() => [...new Set(ids)].sort(), [ids]);
  const media = useQuery(storyMediaQuery(client, memoryId, wanted));
  const rows = media.data ?? NO_MEDIA;
  const names = useMemo(() => rows.map(({ object_name }) => object_name).sort(), [rows]);
  const urls = useQuery(mediaUrlsQuery(client, `stories-${memoryId}`, names)).data ?? NO_URLS;
  const known = media.isSuccess || wanted.length === 0;
  return useMemo(
    () =>
      known
        ? new Map(rows.map((row): [string, PlacedMedia] => [row.id, { ...row, url: urls[row.object_name] }]))
        : undefined,
    [known, rows, urls],
  );
}

export type MediaById = ReturnType<typeof useStoryMedia>;
