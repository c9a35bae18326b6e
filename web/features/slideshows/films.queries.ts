import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useRefreshedData } from "../../data/refreshing.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** The film of a slideshow. */
export type Film = Pick<
  Row<"slideshow_films">,
  "slideshow_id" | "state" | "progress" | "failure" | "object_name" | "size" | "seconds" | "made_of" | "expires_at"
>;

const COLUMNS = "slideshow_id,state,progress,failure,object_name,size,seconds,made_of,expires_at" as const;
const URL_LIFETIME_S = 3600;
/** A film that is being made is read again, in case a proxy blocks realtime. */
const POLL_MS = 5000;

/** The films of a memory's slideshows. */
export const filmsQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.slideshows(memoryId, "films"),
    queryFn: async ({ signal }): Promise<Film[]> =>
      client
        .from("slideshow_films")
        .select(COLUMNS)
        .eq("memory_id", memoryId)
        .abortSignal(signal)
        .then(unwrap("Failed to load the films")),
    refetchInterval: ({ state }) =>
      state.data?.some((film) => film.state === "waiting" || film.state === "making") ? POLL_MS : false,
  });

/** Shows the progress of a memory's films live. */
export const useFilmsLive = (client: SupabaseClient, memoryId: string) =>
  useRefreshedData(
    client,
    [
      { event: "*", table: "slideshow_films", filter: `memory_id=eq.${memoryId}` },
      { event: "DELETE", table: "slideshow_films" },
    ],
    [queryKeys.slideshows(memoryId, "films")],
  );

/** Requests the film of a slideshow, cancels it while it is made, or deletes it. */
export function useFilmOrder(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ slideshow, order }: { slideshow: string; order: "make" | "discard" }) => {
      await client
        .rpc(order === "make" ? "request_film" : "discard_film", { slideshow })
        .then(unwrap("Failed to change the film"));
    },
    onSettled: () => refresh(cache, queryKeys.slideshows(memoryId, "films")),
  });
}

/** Resolves to a URL that saves a film under a name. */
export const filmUrl = (client: SupabaseClient, objectName: string, fileName: string): Promise<string> =>
  client.storage
    .from("films")
    .createSignedUrl(objectName, URL_LIFETIME_S, { download: fileName })
    .then(unwrap("Failed to save the film"))
    .then(({ signedUrl }) => signedUrl);
