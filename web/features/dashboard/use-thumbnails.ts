import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { mediaUrlsQuery } from "../../data/media.queries.ts";
import type { LargeItem } from "../../data/storage.queries.ts";
import { renditionUrl } from "../../lib/request/rendition-url.ts";
import { supabase } from "../../lib/request/supabase.ts";

/** Gives the address of a small picture of each of these: a photo's own, a video's poster. */
export function useThumbnails(items: readonly LargeItem[]): (item: LargeItem) => string | undefined {
  const photos = useMemo(
    () => items.flatMap(({ type, object_name }) => (type === "image" ? [object_name] : [])).sort(),
    [items],
  );
  const posters = useMemo(() => items.flatMap(({ poster_name }) => poster_name ?? []).sort(), [items]);
  const ofPhotos = useQuery(mediaUrlsQuery(supabase, "largest", photos)).data;
  const ofPosters = useQuery(mediaUrlsQuery(supabase, "largest", posters, "posters")).data;
  return ({ type, object_name, poster_name }) => {
    const url = type === "image" ? ofPhotos?.[object_name] : poster_name ? ofPosters?.[poster_name] : undefined;
    return url && renditionUrl(url, 320);
  };
}
