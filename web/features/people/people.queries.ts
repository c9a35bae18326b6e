import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { Returned, Row } from "../../../shared/database.ts";
import type { MemoryRights } from "../../data/memories.queries.ts";
import { queryKeys } from "../../data/query-keys.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { optimisticUpdate } from "../../lib/request/optimistic-update.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { useRowChanges } from "../../lib/request/use-row-changes.ts";

export type MemberRole = Row<"memory_members">["role"];
export const MEMBER_ROLES: readonly MemberRole[] = ["viewer", "contributor", "co-owner"];

export type MemoryPerson = Returned<"memory_people">[number];

const PAGE = 30;

/** A memory's people with their names in pages, the owner first. Empty for people who are not members. */
export const peopleQuery = (client: SupabaseClient, memoryId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.people(memoryId),
    queryFn: async ({ pageParam, signal }): Promise<MemoryPerson[]> =>
      client
        .rpc("memory_people", { memory_id: memoryId, skip: pageParam, most: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load people")),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length === PAGE ? pages.length * PAGE : undefined),
    // A new person shifts later pages by one, so a person may be on two pages.
    select: ({ pages }) => [...new Map(pages.flat().map((person) => [person.id, person])).values()],
  });

/** Id of the person to whom the memory is offered, visible to the owner and that person; null without an offer. */
export const handoverQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.handover(memoryId),
    queryFn: async ({ signal }): Promise<string | null> => {
      const data = await client
        .from("handovers")
        .select("to_user")
        .eq("memory_id", memoryId)
        .abortSignal(signal)
        .maybeSingle()
        .then(unwrap("Failed to load people"));
      return data?.to_user ?? null;
    },
  });

/** Memories that are offered to a person. */
export const offersQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.handovers(userId),
    queryFn: async ({ signal }): Promise<{ id: string; person_name: string }[]> => {
      const data = await client
        .from("handovers")
        .select("memories(id,person_name)")
        .eq("to_user", userId)
        .abortSignal(signal)
        .then(unwrap("Failed to load people"));
      return data.flatMap(({ memories }) => memories ?? []);
    },
  });

/** Reloads everything that depends on a person's role in a memory. */
export const readAgain = (cache: QueryClient, memoryId: string) =>
  refresh(
    cache,
    queryKeys.people(memoryId),
    queryKeys.handover(memoryId),
    queryKeys.handovers(),
    queryKeys.memory(memoryId),
    queryKeys.memoryRights(memoryId),
    queryKeys.memories(),
    queryKeys.storage(),
  );

export async function removePerson(client: SupabaseClient, memoryId: string, userId: string): Promise<void> {
  await client
    .from("memory_members")
    .delete()
    .eq("memory_id", memoryId)
    .eq("user_id", userId)
    .then(unwrap("Failed to remove the person"));
}

export function useChangeRole(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const { queryKey } = peopleQuery(client, memoryId);
  return useMutation({
    mutationFn: async ({ id, role }: { id: string; role: MemberRole }) => {
      await client
        .from("memory_members")
        .update({ role })
        .eq("memory_id", memoryId)
        .eq("user_id", id)
        .select("role")
        .single()
        .then(unwrap("Failed to change the role"));
    },
    ...optimisticUpdate(cache, {
      queryKey,
      change: (data: InfiniteData<MemoryPerson[]>, { id, role }: { id: string; role: MemberRole }) => ({
        ...data,
        pages: data.pages.map((page) => page.map((person) => (person.id === id ? { ...person, role } : person))),
      }),
    }),
  });
}

/** Returns a mutation by which a person leaves a memory. `onLeft` is called before the data is reloaded. */
export function useLeave(client: SupabaseClient, memoryId: string, onLeft: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (userId: string) => removePerson(client, memoryId, userId),
    onSuccess: () => {
      onLeft();
      return readAgain(cache, memoryId);
    },
  });
}

/** Returns a mutation that offers a memory to a member. With null, the owner withdraws or the recipient declines it. */
export function useOffer(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (to_user: string | null) => {
      const { error } = to_user
        ? await client.from("handovers").insert({ memory_id: memoryId, to_user })
        : await client.from("handovers").delete().eq("memory_id", memoryId);
      if (error) throw new Error("Failed to offer the memory", { cause: error });
    },
    onSettled: () => readAgain(cache, memoryId),
  });
}

/** An error of a takeover. `why`: the plan has too little storage, allows no more memories, or another reason. */
export class TakeOverFailure extends Error {
  constructor(
    readonly why: "storageFull" | "memoryLimit" | "failed",
    cause: unknown,
  ) {
    super("Failed to take over the memory", { cause });
  }
}

/**
 * Returns a mutation that makes the signed-in person the owner of a memory that is offered to them. It rejects with
 * {@link TakeOverFailure}.
 */
export function useTakeOver(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  return useMutation<void, TakeOverFailure>({
    mutationFn: async () => {
      const { error, status } = await client.rpc("accept_handover", { memory_id: memoryId });
      if (error)
        throw new TakeOverFailure(status === 507 ? "storageFull" : status === 402 ? "memoryLimit" : "failed", error);
    },
    onSuccess: () => readAgain(cache, memoryId),
  });
}

/** Reloads members, invitations, handover offers and blocked people when they change. */
export function usePeopleLive(client: SupabaseClient, memoryId: string) {
  const cache = useQueryClient();
  const of = { event: "*", filter: `memory_id=eq.${memoryId}` } as const;
  const tables = ["memory_members", "invitations", "handovers", "memory_blocks"].map((table) => ({ ...of, table }));
  useRowChanges(client, tables, () => {
    const { people, invitations, handover, blocks } = queryKeys;
    void refresh(cache, ...[people, invitations, handover, blocks].map((of) => of(memoryId)));
  });
}

/** The props that a memory's page passes. */
export interface PeopleContext {
  memory: { id: string; person_name: string; description: string };
  rights: MemoryRights;
}
