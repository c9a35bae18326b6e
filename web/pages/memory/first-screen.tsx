import { QueryClient } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import type { FirstScreen } from "../../../shared/share.ts";
import { dayQuery } from "../../data/day.queries.ts";
import { photosQuery } from "../../data/media.queries.ts";
import { type CoverPhoto, memoryQuery, rightsQuery } from "../../data/memories.queries.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { pictureNames, storiesQuery, storyMediaQuery, storyMediaUrlsQuery } from "../../data/stories.queries.ts";
import { entriesQuery } from "../../data/timeline.queries.ts";
import { HeroWithUrls, heroActionsRoom } from "../../features/memories/MemoryHero.tsx";
import { ON_PHONES, photosOfStrip, STRIP_SIZES } from "../../features/photos/photos-of-strip.ts";
import type { Language } from "../../i18n/languages.ts";
import { showLanguage } from "../../i18n/translate.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { COVER_SIZES, renditionSrcSet } from "../../lib/request/rendition-url.ts";
import { createMediaUrlCache } from "../../media/media-url-cache.ts";
import { shownUrls } from "../../media/use-media-urls.ts";
import { placedMedia } from "./use-memory-content.ts";

/** Longer photo lists are loaded after the first screen. */
const MOST_PHOTOS = 200;

/**
 * Loads the data of a memory page's first screen for the page's own queries; undefined if the memory does not exist.
 * Requests run in parallel, since on a slow network each one that waits for another costs half a second. With a language,
 * the hero is rendered, for the browser to show while the app loads.
 */
export async function readFirstScreen(
  client: SupabaseClient,
  memoryId: string,
  language?: Language,
): Promise<FirstScreen | undefined> {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const [memory, stories, entries, , rights] = await Promise.all([
    queries.fetchQuery(memoryQuery(client, memoryId)),
    queries.fetchQuery(storiesQuery(client, memoryId)),
    queries.fetchQuery(entriesQuery(client, memoryId)),
    queries.fetchQuery(dayQuery(client, memoryId)),
    queries.fetchQuery(rightsQuery(client, memoryId)),
  ]);
  if (!memory) return undefined;
  const readPlaced = async () => {
    const ids = placedMedia(memory.description, stories, entries);
    const placed = ids.length > 0 ? await queries.fetchQuery(storyMediaQuery(client, memoryId, ids)) : [];
    if (pictureNames(placed).length > 0) await queries.fetchQuery(storyMediaUrlsQuery(client, memoryId, placed));
  };
  const readPictures = async () => {
    const few = memory.photo_count <= MOST_PHOTOS;
    const photos = few ? await queries.fetchQuery(photosQuery(client, memoryId)) : [];
    const strip = photosOfStrip(photos);
    const cover = memory.cover ? [memory.cover] : [];
    const urls = createMediaUrlCache(client);
    await urls.ask([...cover, ...strip]);
    const picture = ({ id, width, edit }: Pick<CoverPhoto, "id" | "width" | "edit">, sizes: string) => {
      const { picture: url } = shownUrls(urls.get(id), { edit });
      return url ? [{ srcset: renditionSrcSet(url, width), sizes }] : [];
    };
    return {
      urls: memory.cover ? shownUrls(urls.get(memory.cover.id), memory.cover) : {},
      mediaUrls: [...cover, ...strip].map(({ id, poster_name }) => [{ id, poster_name }, urls.get(id)] as const),
      pictures: [
        ...cover.flatMap((photo) => picture(photo, COVER_SIZES)),
        ...strip.slice(0, ON_PHONES).flatMap((photo) => picture(photo, STRIP_SIZES)),
      ],
    };
  };
  const [{ urls, mediaUrls, pictures }] = await Promise.all([readPictures(), readPlaced()]);
  queries.setQueryData(queryKeys.firstMediaUrls(memoryId), mediaUrls);
  const answers = queries.getQueryCache().getAll();
  return { hero: renderHero(), answers: answers.map(({ queryKey, state }) => [queryKey, state.data]), pictures };

  function renderHero() {
    if (!memory || !language) return undefined;
    showLanguage(language);
    return renderToStaticMarkup(
      <HeroWithUrls memory={memory} cover={memory.cover} urls={urls}>
        {(rights.download || rights.contribute) && heroActionsRoom}
      </HeroWithUrls>,
    );
  }
}
