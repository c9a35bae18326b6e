import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type StoryMedia, storyMediaQuery, storyMediaUrlsQuery } from "../data/stories.queries.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";

/** A photo or recording; a photo with its signed URL once that is loaded. */
export interface PlacedMedia extends StoryMedia {
  url: string | undefined;
}

/** Looks up a photo or recording: null if it is deleted or not accessible, undefined while loading. */
export type KnownMedia = (id: string) => PlacedMedia | null | undefined;

const NO_MEDIA: StoryMedia[] = [];
const NO_URLS: Record<string, string> = {};

/** The photos and recordings with these ids; `settled` once their layout is known. */
export function useStoryMedia(client: SupabaseClient, memoryId: string, ids: readonly string[]) {
  const media = useQuery(useMemo(() => storyMediaQuery(client, memoryId, ids), [client, memoryId, ids]));
  const rows = media.data ?? NO_MEDIA;
  const urls = useQuery(storyMediaUrlsQuery(client, memoryId, rows)).data ?? NO_URLS;
  const all = media.isSuccess && !media.isPlaceholderData;
  return useMemo(() => {
    const byId = new Map(rows.map((row) => [row.id, { ...row, url: urls[row.object_name] }]));
    const mediaOf: KnownMedia = (id) => byId.get(id) ?? (all ? null : undefined);
    return { media: mediaOf, settled: ids.length === 0 || !media.isPending };
  }, [rows, urls, all, ids.length, media.isPending]);
}
