import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { refresh } from "../lib/request/refresh.ts";
import { serverNow } from "../lib/request/server-clock.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import { queryKeys } from "./query-keys.ts";
import { saveOver } from "./save-over.ts";

export type PartKind = NonNullable<Row<"memory_entries">["part"]>;

type Stored = Pick<
  Row<"memory_entries">,
  | "id"
  | "title"
  | "starts_at"
  | "doors_at"
  | "ends_at"
  | "place"
  | "address"
  | "map_url"
  | "directions"
  | "parking"
  | "accessibility"
  | "dress"
  | "gifts"
  | "gifts_url"
  | "contact"
  | "note"
  | "audience"
  | "stream_from"
  | "asks_replies"
  | "revision"
>;

/** A part of a memory's day. Times of day are local times of `time_zone`. */
export interface DayPart extends Stored {
  part: PartKind;
  on_date: string;
  time_zone: string;
  begins_at: string;
  finishes_at: string;
}

const COLUMNS =
  "id,part,title,on_date,starts_at,doors_at,ends_at,time_zone,place,address,map_url,directions,parking,accessibility,dress,gifts,gifts_url,contact,note,audience,stream_from,asks_replies,revision,begins_at,finishes_at" as const;

/** The parts of a memory's day, in the order in which they begin. */
export const dayQuery = (client: SupabaseClient, memoryId: string) =>
  queryOptions({
    queryKey: queryKeys.day(memoryId),
    queryFn: async ({ signal }): Promise<DayPart[]> => {
      const rows = await client
        .from("memory_entries")
        .select(COLUMNS)
        .eq("memory_id", memoryId)
        .not("part", "is", null)
        .order("created_at")
        .abortSignal(signal)
        .then(unwrap("Failed to load the day"));
      return (rows as DayPart[]).sort(inOrder);
    },
  });

/** By day, then by the moment when they begin; a part without a time comes last. */
export function inOrder(one: DayPart, other: DayPart): number {
  if (one.on_date !== other.on_date) return one.on_date < other.on_date ? -1 : 1;
  if ((one.starts_at === null) !== (other.starts_at === null)) return one.starts_at === null ? 1 : -1;
  return Date.parse(one.begins_at) - Date.parse(other.begins_at);
}

/** The address of a part's livestream, which the database hands out from its time on. */
interface Stream {
  entry_id: string;
  url: string;
}

/** How often an address is asked for that should be readable by now, in milliseconds: clocks differ. */
const ASK_AGAIN_MS = 30_000;
/** A timer stands while its device sleeps, so a distant time is looked at again. */
const LONGEST_WAIT_MS = 6 * 3600_000;

/** The addresses of livestreams that the reader may see now. The next one is loaded when its time comes. */
export const streamsQuery = (client: SupabaseClient, memoryId: string, parts: readonly DayPart[]) =>
  queryOptions({
    queryKey: queryKeys.streams(memoryId),
    enabled: parts.some(({ stream_from }) => stream_from !== null),
    queryFn: async ({ signal }): Promise<Stream[]> =>
      client
        .from("entry_streams")
        .select("entry_id,url")
        .in(
          "entry_id",
          parts.map(({ id }) => id),
        )
        .abortSignal(signal)
        .then(unwrap("Failed to load the livestreams")),
    refetchInterval: ({ state }) => nextLook(parts, state.data ?? [], serverNow()),
  });

/** Returns the milliseconds until the next address becomes readable; false if none is awaited. */
export function nextLook(
  parts: readonly Pick<DayPart, "id" | "stream_from">[],
  streams: readonly Pick<Stream, "entry_id">[],
  now: number,
): number | false {
  const times = parts.flatMap(({ id, stream_from }) =>
    stream_from !== null && !streams.some(({ entry_id }) => entry_id === id) ? [Date.parse(stream_from)] : [],
  );
  if (times.length === 0) return false;
  const wait = Math.min(...times) - now;
  return wait <= 0 ? ASK_AGAIN_MS : Math.min(wait + 1000, LONGEST_WAIT_MS);
}

/** The fields of a part that its form writes; `stream_url` is empty without a livestream. */
export type PartFacts = Omit<DayPart, "id" | "revision" | "asks_replies" | "begins_at" | "finishes_at"> & {
  stream_url: string;
};

/** A part as its form opened with it. */
export type PartBase = PartFacts & Pick<DayPart, "id" | "revision">;

/** A new part with an id made by its form, or the changes of a part as it was when editing began. */
type PartInput = { id: string; facts: PartFacts } | { base: PartBase; changes: Partial<PartFacts> };

/** Saves a part of the day. Rejects with `EditConflict` if somebody else changed the same fields since editing began. */
export function useSavePart(client: SupabaseClient, memoryId: string, onSaved: () => void) {
  const cache = useQueryClient();
  const failure = "Failed to save the part of the day";
  return useMutation({
    mutationFn: async (input: PartInput) => {
      if ("base" in input) {
        const { id } = input.base;
        await saveOver<PartBase>(input.base, input.changes, {
          failure,
          read: () => readPart(client, id),
          write: async ({ revision, ...changes }) => {
            const { error } = await client.rpc("save_day_part", {
              memory_id: memoryId,
              part_id: id,
              changes,
              revision,
            });
            return error ? { data: null, error } : readPart(client, id);
          },
        });
      } else {
        const { error } = await client.rpc("save_day_part", {
          memory_id: memoryId,
          part_id: input.id,
          changes: { ...input.facts },
        });
        if (error) throw new Error(failure, { cause: error });
      }
      await refreshDay(cache, memoryId);
    },
    onSuccess: onSaved,
  });
}

/** Reads a part with the address of its livestream. */
export async function readPart(client: SupabaseClient, id: string) {
  const { data, error } = await client
    .from("memory_entries")
    .select(`${COLUMNS},entry_streams(url)` as const)
    .eq("id", id)
    .maybeSingle();
  if (!data) return { data: null, error };
  const { entry_streams: stream, asks_replies: _asks, begins_at: _begin, finishes_at: _end, ...part } = data;
  return { data: { ...part, stream_url: stream?.url ?? "" } as PartBase, error };
}

const refreshDay = (cache: Parameters<typeof refresh>[0], memoryId: string) =>
  refresh(cache, queryKeys.day(memoryId), queryKeys.entries(memoryId), queryKeys.streams(memoryId));
