import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { QueryClient } from "@tanstack/react-query";
import WebSocket from "ws";
import { cartQuery } from "../../web/data/cart.queries.ts";
import { dayQuery, streamsQuery } from "../../web/data/day.queries.ts";
import {
  householdLinksQuery,
  ownReplyQuery,
  repliesQuery,
  replySettingsQuery,
} from "../../web/data/day-replies.queries.ts";
import { heartsQuery } from "../../web/data/hearts.queries.ts";
import { heldPlansQuery } from "../../web/data/held-plans.queries.ts";
import { lettersQuery, answersQuery as photoAnswersQuery } from "../../web/data/letters.queries.ts";
import { photosQuery } from "../../web/data/media.queries.ts";
import {
  draftQuery,
  memoriesQuery,
  memoryCountQuery,
  memoryKindQuery,
  memoryQuery,
  rightsQuery,
  sharedMemoriesQuery,
} from "../../web/data/memories.queries.ts";
import { blocksQuery, queueQuery, waitingQuery } from "../../web/data/moderation.queries.ts";
import { outlineQuery, photoRowsQuery } from "../../web/data/outline.queries.ts";
import { keyOf } from "../../web/data/photo.ts";
import { ownRequestQuery, pictureRequestsQuery } from "../../web/data/picture-requests.queries.ts";
import {
  mediaNamesQuery,
  nameSuggestionsQuery,
  personElsewhereQuery,
  picturedPeopleQuery,
  whoQuestionsQuery,
} from "../../web/data/pictured.queries.ts";
import { lapsedPlanQuery, memoryRoomQuery, subscriptionQuery } from "../../web/data/plans.queries.ts";
import { answersQuery, promptsQuery } from "../../web/data/prompts.queries.ts";
import { stillOpenQuery } from "../../web/data/shared-link.queries.ts";
import { slideshowsQuery } from "../../web/data/slideshows.queries.ts";
import { memoryUsesQuery, storageQuery, storageUseQuery } from "../../web/data/storage.queries.ts";
import { choosableMediaQuery, storiesQuery, storyMediaQuery } from "../../web/data/stories.queries.ts";
import { entriesQuery } from "../../web/data/timeline.queries.ts";
import { affiliateQuery, figuresQuery } from "../../web/features/affiliates/affiliates.queries.ts";
import { albumMemoriesQuery, albumOfQuery, albumQuery, albumsQuery } from "../../web/features/albums/albums.queries.ts";
import { cardsQuery } from "../../web/features/cards/cards.queries.ts";
import { commentsQuery, peopleQuery as mentionableQuery } from "../../web/features/comments/comments.queries.ts";
import { reactionsQuery } from "../../web/features/comments/reactions.queries.ts";
import { activityQuery } from "../../web/features/dashboard/activity.queries.ts";
import { additionsQuery } from "../../web/features/guests/own-additions.queries.ts";
import { uploadOccasionQuery } from "../../web/features/guests/upload-occasion.queries.ts";
import { preferenceQuery, remindersQuery, settingsQuery } from "../../web/features/notices/notice-settings.queries.ts";
import { noticesQuery, unreadQuery } from "../../web/features/notices/notices.queries.ts";
import { orderedCardsQuery, orderQuery, ordersQuery } from "../../web/features/orders/orders.queries.ts";
import { handoverQuery, offersQuery, peopleQuery } from "../../web/features/people/people.queries.ts";
import { creditQuery } from "../../web/features/photos/photos.queries.ts";
import { printedLinksQuery, printsQuery } from "../../web/features/printing/printing.queries.ts";
import { serviceQuery } from "../../web/features/printing/service/service.queries.ts";
import { searchQuery } from "../../web/features/search/search.queries.ts";
import { devicesQuery } from "../../web/features/sharing/links/devices.queries.ts";
import { cardLinkCountQuery, linksQuery, openingsQuery } from "../../web/features/sharing/links/links.queries.ts";
import { filmsQuery } from "../../web/features/slideshows/films.queries.ts";
import { trashQuery } from "../../web/features/trash/trash.queries.ts";
import { addingLinksQuery, type Wall, wallContentsQuery, wallQuery } from "../../web/features/wall/walls.queries.ts";
import { setConfig } from "../../web/lib/browser/config.ts";
import type { SizedOwner } from "./owner-of-size.ts";
import type { TestServer } from "./server.ts";
import { filesIn } from "./source-texts.ts";

/** The common part of all options of queries. */
interface Query {
  queryKey: readonly unknown[];
}

/** Imports queries whose modules make the browser's own client, for which the settings have to be loaded. */
async function browserQueries({ url, keys }: Pick<TestServer, "url" | "keys">) {
  globalThis.WebSocket ??= WebSocket as never;
  setConfig({
    supabaseUrl: url,
    supabaseAnonKey: keys.publishable,
    stripePublishableKey: "pk_test",
    turnstileSiteKey: "site key",
    infoEmail: "info@example.com",
    processors: [],
  });
  const [{ orderQuery: checkoutOrderQuery }, { invitationsQuery, myInvitationsQuery }] = await Promise.all([
    import("../../web/features/cart/checkout.queries.ts"),
    import("../../web/features/people/invitations.queries.ts"),
  ]);
  return { checkoutOrderQuery, invitationsQuery, myInvitationsQuery };
}

/** Makes a read as its page does; of a list, the first page. */
export function readOnce(query: Query): Promise<unknown> {
  const cache = new QueryClient();
  const read =
    "initialPageParam" in query
      ? cache.fetchInfiniteQuery(query as never)
      : cache.fetchQuery({ ...query, enabled: true } as never);
  // Kept lists would keep a process running for as long.
  return read.finally(() => cache.clear());
}

/** The reads of the web app, as an owner makes them in their largest memory and album, by file and name. */
export async function appReads(
  server: Pick<TestServer, "url" | "keys">,
  client: SupabaseClient,
  owner: SizedOwner,
): Promise<Record<string, () => Query>> {
  const { checkoutOrderQuery, invitationsQuery, myInvitationsQuery } = await browserQueries(server);
  const { userId, memoryId, albumId, mediaId, linkId, orderId, personId } = owner;
  const ofMemory = { kind: "memory", id: memoryId } as const;
  const link = { id: linkId, admitted_since_version: 1 };
  return {
    "data/cart/cartQuery": () => cartQuery(client, userId),
    "data/held-plans/heldPlansQuery": () => heldPlansQuery(client, userId),
    "data/day/dayQuery": () => dayQuery(client, memoryId),
    "data/day/streamsQuery": () => streamsQuery(client, memoryId, []),
    "data/day-replies/householdLinksQuery": () => householdLinksQuery(client, memoryId),
    "data/day-replies/ownReplyQuery": () => ownReplyQuery(client, memoryId, { column: "own_id", id: userId }),
    "data/day-replies/repliesQuery": () => repliesQuery(client, memoryId),
    "data/day-replies/replySettingsQuery": () => replySettingsQuery(client, memoryId),
    "data/hearts/heartsQuery": () => heartsQuery(client, memoryId),
    "data/letters/answersQuery": () => photoAnswersQuery(client, memoryId),
    "data/letters/lettersQuery": () => lettersQuery(client, memoryId),
    "data/picture-requests/ownRequestQuery": () => ownRequestQuery(client, userId, mediaId),
    "data/picture-requests/pictureRequestsQuery": () => pictureRequestsQuery(client, memoryId),
    "data/media/photosQuery": () => photosQuery(client, memoryId),
    "data/outline/outlineQuery": () => outlineQuery(client, memoryId, "taken"),
    "data/outline/photoRowsQuery": () => photoRowsQuery(client, memoryId, [keyOf(mediaId)]),
    "data/memories/draftQuery": () => draftQuery(client, userId),
    "data/memories/memoriesQuery": () => memoriesQuery(client, userId),
    "data/memories/memoryCountQuery": () => memoryCountQuery(client, userId),
    "data/memories/memoryKindQuery": () => memoryKindQuery(client, userId),
    "data/memories/memoryQuery": () => memoryQuery(client, memoryId),
    "data/memories/rightsQuery": () => rightsQuery(client, memoryId),
    "data/memories/sharedMemoriesQuery": () => sharedMemoriesQuery(client, userId),
    "data/moderation/blocksQuery": () => blocksQuery(client, memoryId),
    "data/moderation/queueQuery": () => queueQuery(client, memoryId, "held"),
    "data/moderation/waitingQuery": () => waitingQuery(client),
    "data/pictured/mediaNamesQuery": () => mediaNamesQuery(client, memoryId),
    "data/pictured/picturedPeopleQuery": () => picturedPeopleQuery(client, memoryId),
    "data/pictured/nameSuggestionsQuery": () => nameSuggestionsQuery(client, mediaId),
    "data/pictured/personElsewhereQuery": () => personElsewhereQuery(client, memoryId, [personId]),
    "data/pictured/whoQuestionsQuery": () => whoQuestionsQuery(client, memoryId),
    "data/plans/lapsedPlanQuery": () => lapsedPlanQuery(client, userId),
    "data/plans/memoryRoomQuery": () => memoryRoomQuery(client, userId, 0),
    "data/plans/subscriptionQuery": () => subscriptionQuery(client, userId),
    "data/prompts/answersQuery": () => answersQuery(client, memoryId),
    "data/prompts/promptsQuery": () => promptsQuery(client, memoryId),
    "features/slideshows/films/filmsQuery": () => filmsQuery(client, memoryId),
    "data/slideshows/slideshowsQuery": () => slideshowsQuery(client, memoryId),
    "data/shared-link/stillOpenQuery": () =>
      stillOpenQuery(client, { linkId, version: 1, showsNames: true, moderated: false, devicesRemoved: 0 }),
    "data/storage/memoryUsesQuery": () => memoryUsesQuery(client, userId),
    "data/storage/storageQuery": () => storageQuery(client, userId),
    "data/storage/storageUseQuery": () => storageUseQuery(client, userId),
    "data/stories/choosableMediaQuery": () => choosableMediaQuery(client, memoryId, true),
    "data/stories/storiesQuery": () => storiesQuery(client, memoryId),
    "data/stories/storyMediaQuery": () => storyMediaQuery(client, memoryId, [mediaId]),
    "data/timeline/entriesQuery": () => entriesQuery(client, memoryId),
    "features/printing/printing/printedLinksQuery": () => printedLinksQuery(client, memoryId),
    "features/printing/service/service/serviceQuery": () => serviceQuery(client, memoryId),
    "features/printing/printing/printsQuery": () => printsQuery(client, memoryId),
    "features/wall/walls/addingLinksQuery": () => addingLinksQuery(client, memoryId),
    "features/wall/walls/wallContentsQuery": () =>
      wallContentsQuery(client, {
        memory_id: memoryId,
        shows_pictures: true,
        shows_words: true,
        shows_candles: true,
      } as Wall),
    "features/wall/walls/wallQuery": () => wallQuery(client, memoryId),
    "features/affiliates/affiliates/affiliateQuery": () => affiliateQuery(client, userId),
    "features/affiliates/affiliates/figuresQuery": () => figuresQuery(client, userId),
    "features/albums/albums/albumMemoriesQuery": () => albumMemoriesQuery(client, albumId),
    "features/albums/albums/albumOfQuery": () => albumOfQuery(client, memoryId),
    "features/albums/albums/albumQuery": () => albumQuery(client, albumId),
    "features/albums/albums/albumsQuery": () => albumsQuery(client, userId),
    "features/cards/cards/cardsQuery": () => cardsQuery(client, userId),
    "features/cart/checkout/orderQuery": () => checkoutOrderQuery(client, orderId),
    "features/comments/comments/commentsQuery": () => commentsQuery(client, { memoryId, mediaId: null }),
    "features/comments/comments/peopleQuery": () => mentionableQuery(client, memoryId),
    "features/comments/reactions/reactionsQuery": () => reactionsQuery(client, { memoryId, mediaId: null }),
    "features/dashboard/activity/activityQuery": () => activityQuery(client, userId),
    "features/guests/own-additions/additionsQuery": () =>
      additionsQuery(client, memoryId, { column: "own_id", id: userId } as never),
    "features/guests/upload-occasion/uploadOccasionQuery": () => uploadOccasionQuery(client, memoryId),
    "features/notices/notice-settings/preferenceQuery": () => preferenceQuery(client, userId, memoryId),
    "features/notices/notice-settings/remindersQuery": () => remindersQuery(client, memoryId),
    "features/notices/notice-settings/settingsQuery": () => settingsQuery(client, userId),
    "features/notices/notices/noticesQuery": () => noticesQuery(client, userId),
    "features/notices/notices/unreadQuery": () => unreadQuery(client, userId),
    "features/orders/orders/orderQuery": () => orderQuery(client, userId, orderId),
    "features/orders/orders/orderedCardsQuery": () => orderedCardsQuery(client, orderId),
    "features/orders/orders/ordersQuery": () => ordersQuery(client, userId),
    "features/people/invitations/invitationsQuery": () => invitationsQuery(client, memoryId),
    "features/people/invitations/myInvitationsQuery": () => myInvitationsQuery(client, userId),
    "features/people/people/handoverQuery": () => handoverQuery(client, memoryId),
    "features/people/people/offersQuery": () => offersQuery(client, userId),
    "features/people/people/peopleQuery": () => peopleQuery(client, memoryId),
    "features/photos/photos/creditQuery": () => creditQuery(client, mediaId),
    "features/search/search/searchQuery": () => searchQuery(client, "entry 1974", { memoryId: null, kind: null }),
    "features/sharing/links/devices/devicesQuery": () => devicesQuery(client, link),
    "features/sharing/links/links/cardLinkCountQuery": () => cardLinkCountQuery(client, ofMemory),
    "features/sharing/links/links/linksQuery": () => linksQuery(client, ofMemory),
    "features/sharing/links/links/openingsQuery": () => openingsQuery(client, linkId),
    "features/trash/trash/trashQuery": () => trashQuery(client, userId),
  };
}

/** Names of all exported queries of the web app that read rows: `data/cart/cartQuery`. */
export function exportedReads(root: string): string[] {
  const web = join(root, "web");
  return filesIn(web, /export (const|function) \w+Query\b/).flatMap((path) => {
    const text = readFileSync(path, "utf8");
    if (!path.endsWith(".queries.ts")) return [];
    const folder = relative(web, path).replace(/\.queries\.ts$/, "");
    return [...text.matchAll(/^export (?:const|function) (\w+Query)\b/gm)].map(([, name]) => `${folder}/${name}`);
  });
}
