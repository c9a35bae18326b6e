import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Row } from "../../shared/database.ts";
import { mediaUrlsQuery } from "../data/media.queries.ts";
import { editedUrl, renditionUrl } from "../lib/request/rendition-url.ts";
import { supabase } from "../lib/request/supabase.ts";

type Pictured = Pick<Row<"media">, "type" | "object_name" | "poster_name" | "placeholder"> &
  Partial<Pick<Row<"media">, "edit">>;

/** The pixels of a thumbnail's width. */
const WIDTH = 320;

/**
 * Returns a function to the URL of the small picture of a photo, or of a video's poster; undefined while loading and
 * without one. The list must stay the same between renders. `scope` is the part of the page, for the key of the query.
 */
export function useThumbnails(
  scope: string,
  media: readonly Pictured[],
  client = supabase,
): (of: Pictured) => string | undefined {
  const [pictures, posters] = useMemo(() => {
    const names = (all: (string | null)[]) => [...new Set(all.filter((name) => name !== null))].sort();
    return [
      // An unreadable photo has no placeholder and no rendition.
      names(media.map(({ type, object_name, placeholder }) => (type === "image" && placeholder ? object_name : null))),
      names(media.map(({ poster_name }) => poster_name)),
    ];
  }, [media]);
  const ofPictures = useQuery(mediaUrlsQuery(client, scope, pictures)).data;
  const ofPosters = useQuery(mediaUrlsQuery(client, scope, posters, "posters")).data;
  return ({ type, object_name, poster_name, edit }) => {
    const url = type === "image" ? ofPictures?.[object_name] : poster_name ? ofPosters?.[poster_name] : undefined;
    return url && renditionUrl(editedUrl(url, edit), WIDTH);
  };
}
