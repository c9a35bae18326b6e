import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { inPages, type PageOrder } from "../lib/request/in-pages.ts";
import { changeData, refresh } from "../lib/request/refresh.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { useRowChanges } from "../lib/request/use-row-changes.ts";
import { queryKeys } from "./query-keys.ts";

/** A person in a memory's photos, as it is stored. */
export type PersonEntry = Pick<
  Row<"pictured_people">,
  "id" | "name" | "other_names" | "born_year" | "died_year" | "merged_into" | "revision"
>;

/** A person's name on a photo or video; x and y are fractions of the upright picture, or null without a point. */
export type MediaName = Pick<Row<"media_names">, "media_id" | "person_id" | "x" | "y">;

/** The server's maximum number of rows. */
const ROWS = 1000;
const BY_NAME: PageOrder<PersonEntry> = [
  ["name", "up"],
  ["id", "up"],
];
const BY_MEDIA: PageOrder<MediaName> = [
  ["media_id", "up"],
  ["person_id", "up"],
];

/** The people in a memory's photos that the reader may see, with entries that are merged into others. */
export const picturedPeopleQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.picturedPeople(memoryId),
    queryFn: async ({ signal }): Promise<PersonEntry[]> => {
      const entries: PersonEntry[] = [];
      for (;;) {
        const request = client
          .from("pictured_people")
          .select("id,name,other_names,born_year,died_year,merged_into,revision")
          .eq("memory_id", memoryId)
          .is("deleted", false);
        const page = await inPages(request, BY_NAME, { after: entries.at(-1), size: ROWS })
          .abortSignal(signal)
          .then(unwrap("Failed to load people"));
        entries.push(...page);
        if (page.length < ROWS) return entries;
      }
    },
  });

/** The names on a memory's photos and videos that the reader may see. */
export const mediaNamesQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.mediaNames(memoryId),
    queryFn: async ({ signal }): Promise<MediaName[]> => {
      const names: MediaName[] = [];
      for (;;) {
        const request = client.from("media_names").select("media_id,person_id,x,y").eq("memory_id", memoryId);
        const page = await inPages(request, BY_MEDIA, { after: names.at(-1), size: ROWS })
          .abortSignal(signal)
          .then(unwrap("Failed to load names"));
        names.push(...page);
        if (page.length < ROWS) return names;
      }
    },
  });

/** Shows names live as others give, change and remove them. */
export function usePicturedLive(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  useRowChanges(
    client,
    [
      { event: "*", table: "media_names", filter: `memory_id=eq.${memoryId}` },
      { event: "DELETE", table: "media_names" },
      { event: "*", table: "pictured_people", filter: `memory_id=eq.${memoryId}` },
    ],
    () => void refresh(cache, queryKeys.mediaNames(memoryId), queryKeys.picturedPeople(memoryId)),
  );
}

/** A point in a picture, as fractions of its upright width and height. */
export interface Point {
  x: number;
  y: number;
}

interface Naming {
  mediaIds: readonly string[];
  person: { id: string; name: string; isNew: boolean };
  point?: Point | undefined;
}

/** Returns a mutation that names a person on photos; resolves to the ids of those that did not have the name. */
export function useNamePhotos(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    scope: { id: `names-${memoryId}` },
    mutationFn: async ({ mediaIds, person, point }: Naming) =>
      client
        .rpc("name_people", {
          memory_id: memoryId,
          media_ids: [...mediaIds],
          person_id: person.id,
          ...(person.isNew && { name: person.name }),
          ...point,
        })
        .then(unwrap("Failed to name a person")),
    onSuccess: (_named, { mediaIds, person, point }) => {
      if (person.isNew)
        changeData<PersonEntry[]>(cache, queryKeys.picturedPeople(memoryId), (entries) =>
          entries.some(({ id }) => id === person.id)
            ? entries
            : [...entries, { ...NEW_ENTRY, id: person.id, name: person.name }],
        );
      changeData<MediaName[]>(cache, queryKeys.mediaNames(memoryId), (names) => {
        const named = new Set(mediaIds);
        const isSame = (name: MediaName) => name.person_id === person.id && named.has(name.media_id);
        const before = new Map(names.filter(isSame).map((name) => [name.media_id, name]));
        return [
          ...names.filter((name) => !isSame(name)),
          ...mediaIds.map((media_id) => ({
            media_id,
            person_id: person.id,
            x: point?.x ?? before.get(media_id)?.x ?? null,
            y: point?.y ?? before.get(media_id)?.y ?? null,
          })),
        ];
      });
    },
  });
}

const NEW_ENTRY: Omit<PersonEntry, "id" | "name"> = {
  other_names: [],
  born_year: null,
  died_year: null,
  merged_into: null,
  revision: 1,
};

/** Returns a mutation that removes names of these people from photos. */
export function useRemoveNames(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    scope: { id: `names-${memoryId}` },
    mutationFn: async ({ mediaIds, personIds }: { mediaIds: readonly string[]; personIds: readonly string[] }) => {
      // Ids are part of the address, whose length is limited.
      for (let at = 0; at < mediaIds.length; at += 100)
        await client
          .from("media_names")
          .delete()
          .eq("memory_id", memoryId)
          .in("person_id", [...personIds])
          .in("media_id", mediaIds.slice(at, at + 100))
          .then(unwrap("Failed to remove a name"));
    },
    onSuccess: (_done, { mediaIds, personIds }) => {
      const [media, people] = [new Set(mediaIds), new Set(personIds)];
      changeData<MediaName[]>(cache, queryKeys.mediaNames(memoryId), (names) =>
        names.filter((name) => !(media.has(name.media_id) && people.has(name.person_id))),
      );
    },
  });
}
