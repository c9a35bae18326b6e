import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { allRows, inPages, type PageOrder } from "../lib/request/in-pages.ts";
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
    queryFn: ({ signal }) =>
      allRows<PersonEntry>((page) => {
        const request = client
          .from("pictured_people")
          .select("id,name,other_names,born_year,died_year,merged_into,revision")
          .eq("memory_id", memoryId)
          .is("deleted", false);
        return inPages(request, BY_NAME, page).abortSignal(signal).then(unwrap("Failed to load people"));
      }),
  });

/** The names on a memory's photos and videos that the reader may see. */
export const mediaNamesQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.mediaNames(memoryId),
    queryFn: ({ signal }) =>
      allRows<MediaName>((page) => {
        const request = client.from("media_names").select("media_id,person_id,x,y").eq("memory_id", memoryId);
        return inPages(request, BY_MEDIA, page).abortSignal(signal).then(unwrap("Failed to load names"));
      }),
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
      { event: "*", table: "who_questions", filter: `memory_id=eq.${memoryId}` },
      { event: "DELETE", table: "who_questions" },
    ],
    () =>
      void refresh(
        cache,
        queryKeys.mediaNames(memoryId),
        queryKeys.picturedPeople(memoryId),
        queryKeys.whoQuestions(memoryId),
      ),
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
        const ids = new Set(mediaIds);
        const isSame = (name: MediaName) => name.person_id === person.id && ids.has(name.media_id);
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

/** A memory with photos of a person. */
export interface PersonPlace {
  personId: string;
  memoryId: string;
  memoryName: string;
}

/** The memory about a person, and the other memories with their photos, as far as the reader may see each. */
export const personElsewhereQuery = (client: SupabaseClient, memoryId: string, personIds: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.personElsewhere(memoryId, personIds),
    queryFn: async ({ signal }): Promise<{ own: { id: string; name: string } | null; places: PersonPlace[] }> => {
      const [identity] = await client
        .from("pictured_identities")
        .select("memory:memories(id,person_name)")
        .in("person_id", [...personIds])
        .limit(1)
        .abortSignal(signal)
        .then(unwrap("Failed to load people"));
      if (!identity?.memory) return { own: null, places: [] };
      const { id, person_name } = identity.memory;
      const others = await client
        .from("pictured_identities")
        .select("person:pictured_people!inner(id,deleted,memory:memories!inner(id,person_name))")
        .eq("memory_id", id)
        .eq("person.deleted", false)
        .neq("person.memory_id", memoryId)
        .limit(100)
        .abortSignal(signal)
        .then(unwrap("Failed to load people"));
      const places = others.map(({ person }) => ({
        personId: person.id,
        memoryId: person.memory.id,
        memoryName: person.memory.person_name,
      }));
      return {
        own: { id, name: person_name },
        places: places.toSorted((a, b) => a.memoryName.localeCompare(b.memoryName)),
      };
    },
  });

interface PersonLink {
  /** All entries of the person. */
  personIds: readonly string[];
  /** The entry that gets the link. */
  personId: string;
  /** The memory about the person; null for none. */
  to: string | null;
}

/** Returns a mutation that says which memory is about a person. */
export function useLinkPerson(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    scope: { id: `names-${memoryId}` },
    mutationFn: async ({ personIds, personId, to }: PersonLink) => {
      await client
        .from("pictured_identities")
        .delete()
        .in("person_id", [...personIds])
        .then(unwrap("Failed to link a person"));
      if (to !== null)
        await client
          .from("pictured_identities")
          .insert({ person_id: personId, memory_id: to })
          .then(unwrap("Failed to link a person"));
    },
    onSettled: () => refresh(cache, queryKeys.personElsewhere(memoryId)),
  });
}

/** A question about who is in a photo or video. */
export type WhoQuestion = Pick<Row<"who_questions">, "media_id" | "x" | "y">;
const BY_PHOTO: PageOrder<WhoQuestion> = [["media_id", "up"]];

/** The photos and videos of a memory about which somebody asked who is in them. */
export const whoQuestionsQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.whoQuestions(memoryId),
    queryFn: ({ signal }) =>
      allRows<WhoQuestion>((page) => {
        const request = client.from("who_questions").select("media_id,x,y").eq("memory_id", memoryId);
        return inPages(request, BY_PHOTO, page).abortSignal(signal).then(unwrap("Failed to load questions"));
      }),
  });

/** Returns a mutation that asks who is in a photo, or ends the question with `point` undefined and `ends`. */
export function useAskWho(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const queryKey = queryKeys.whoQuestions(memoryId);
  return useMutation({
    scope: { id: `names-${memoryId}` },
    mutationFn: async ({ mediaId, point, ends }: { mediaId: string; point?: Point | undefined; ends: boolean }) => {
      const { error } = ends
        ? await client.from("who_questions").delete().eq("media_id", mediaId)
        : await client.from("who_questions").insert({ media_id: mediaId, memory_id: memoryId, ...point });
      // 23505: somebody has asked already.
      if (error && error.code !== "23505") throw new Error("Failed to ask", { cause: error });
    },
    onSuccess: (_done, { mediaId, point, ends }) =>
      changeData<WhoQuestion[]>(cache, queryKey, (questions) => {
        const others = questions.filter(({ media_id }) => media_id !== mediaId);
        return ends ? others : [...others, { media_id: mediaId, x: point?.x ?? null, y: point?.y ?? null }];
      }),
    onSettled: () => refresh(cache, queryKey),
  });
}

/** A name in a photo's file that nobody has taken or declined yet. */
export type NameSuggestion = Pick<Row<"media_name_suggestions">, "name" | "x" | "y">;

/** The names in a photo's file, for those who may name people on it. */
export const nameSuggestionsQuery = (client: SupabaseClient, mediaId: string) =>
  queryOptions({
    queryKey: queryKeys.nameSuggestions(mediaId),
    queryFn: async ({ signal }): Promise<NameSuggestion[]> =>
      client
        .from("media_name_suggestions")
        .select("name,x,y")
        .eq("media_id", mediaId)
        .is("settled", false)
        .order("name")
        .abortSignal(signal)
        .then(unwrap("Failed to load names of the file")),
  });

/** Returns a mutation that takes a suggestion away, because it was taken or declined, or brings it back. */
export function useSettleSuggestion(client: SupabaseClient, mediaId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, settled }: { name: string; settled: boolean }) =>
      client
        .from("media_name_suggestions")
        .update({ settled })
        .eq("media_id", mediaId)
        .eq("name", name)
        .then(unwrap("Failed to settle a name")),
    onSettled: () => refresh(cache, queryKeys.nameSuggestions(mediaId)),
  });
}
