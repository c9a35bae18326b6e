import type { Row } from "../../shared/database.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { unwrap } from "../lib/request/unwrap.ts";
import type { RowChange } from "../lib/request/use-row-changes.ts";

/** A wall's settings, as its screens read them. */
export type WallSettings = Pick<
  Row<"walls">,
  | "id"
  | "memory_id"
  | "version"
  | "changes"
  | "shows_pictures"
  | "shows_words"
  | "shows_candles"
  | "shows_names"
  | "layout"
  | "pace"
  | "is_dark"
  | "plays_sound"
  | "is_paused"
  | "step"
  | "anchor_tick"
  | "anchored_at"
>;

const SETTINGS =
  "id,memory_id,version,changes,shows_pictures,shows_words,shows_candles,shows_names,layout,pace,is_dark,plays_sound,is_paused,step,anchor_tick,anchored_at" as const;

/** The largest numbers of pictures, words and names of candles on a wall, newest first, so that a screen does not grow. */
export const MOST = { pictures: 1000, words: 200, candles: 8 };

/** A photo or video on a wall. */
export type WallPicture = Pick<
  Row<"media">,
  | "id"
  | "type"
  | "object_name"
  | "poster_name"
  | "playback"
  | "width"
  | "height"
  | "colour"
  | "duration"
  | "caption"
  | "alt_text"
  | "updated_at"
> & { credit: { name: string } | null };

/** A comment on a wall. */
export type WallWords = Pick<Row<"comments">, "id" | "body" | "created_at"> & { credit: { name: string } | null };

/** A candle on a wall, with the name of who lit it. */
export type WallCandle = Pick<Row<"reactions">, "id" | "created_at"> & { credit: { name: string } | null };

/** Everything that a wall shows. */
export interface WallContents {
  pictures: WallPicture[];
  comments: WallWords[];
  candles: WallCandle[];
}

/** What a screen shows beside pictures and words. */
export interface WallHead {
  name: string;
  kind: Row<"memories">["kind"];
  /** The server's time. */
  now: string;
  ends_at: string | null;
  /** The share id of the link for adding; null without one. */
  share_id: string | null;
  asks: string | null;
  candles: number | null;
  /** Whether the wall shows nothing until the memory's reveal. */
  waits: boolean;
}

/** The settings of a wall, also after it was turned off. */
export const readWallSettings = async (client: SupabaseClient, id: string): Promise<WallSettings> =>
  client.from("walls").select(SETTINGS).eq("id", id).single().then(unwrap("Failed to load the wall"));

/** What a screen shows beside pictures and words; null if its wall is off. */
export const readWallHead = async (client: SupabaseClient): Promise<WallHead | null> =>
  (await client.rpc("wall_head").then(unwrap("Failed to load the wall"))) as unknown as WallHead | null;

/**
 * What a wall with these settings shows. A screen and the remote control read the same rows, so that both compute the
 * same sequence.
 */
export async function readWallContents(
  client: SupabaseClient,
  { memory_id, shows_pictures, shows_words, shows_candles }: WallSettings,
): Promise<WallContents> {
  const failed = "Failed to load the wall";
  const [pictures, comments, candles] = await Promise.all([
    shows_pictures
      ? client
          .from("media")
          .select(
            "id,type,object_name,poster_name,playback,width,height,colour,duration,caption,alt_text,updated_at,credit:media_credits(name)",
          )
          .eq("memory_id", memory_id)
          .eq("moderation", "shown")
          .eq("state", "ready")
          .in("type", ["image", "video"])
          .is("pages", null)
          .order("updated_at", { ascending: false })
          .limit(MOST.pictures)
          .then(unwrap(failed))
      : [],
    shows_words
      ? client
          .from("comments")
          .select("id,body,created_at,credit:comment_credits(name)")
          .eq("memory_id", memory_id)
          .eq("moderation", "shown")
          .is("media_id", null)
          .is("parent_id", null)
          .is("deleted_at", null)
          .order("created_at", { ascending: false })
          .limit(MOST.words)
          .then(unwrap(failed))
      : [],
    shows_candles
      ? client
          .from("reactions")
          .select("id,created_at,credit:reaction_credits(name)")
          .eq("memory_id", memory_id)
          .eq("kind", "candle")
          .eq("moderation", "shown")
          .is("media_id", null)
          .is("comment_id", null)
          .order("created_at", { ascending: false })
          .limit(MOST.candles)
          .then(unwrap(failed))
      : [],
  ]);
  return { pictures, comments, candles };
}

/** The changes after which a wall is read again. */
export const wallBindings = (wallId: string, memoryId: string) => [
  { event: "UPDATE" as const, table: "walls", filter: `id=eq.${wallId}` },
  { event: "INSERT" as const, table: "memory_withdrawals", filter: `memory_id=eq.${memoryId}` },
  ...["media", "comments", "reactions"].flatMap((table) => [
    { event: "*" as const, table, filter: `memory_id=eq.${memoryId}` },
    { event: "DELETE" as const, table },
  ]),
];

/** The ids of items that are shown no longer, according to these changes. */
export function withdrawnIds(changes: readonly RowChange[]): Set<string> {
  const ids = new Set<string>();
  for (const { event, table, row } of changes) {
    if (table === "memory_withdrawals") for (const id of (row.ids as string[] | undefined) ?? []) ids.add(id);
    else if (event === "DELETE" || ("moderation" in row && row.moderation !== "shown")) ids.add(String(row.id));
  }
  return ids;
}

/** The contents without these items. */
export const without = ({ pictures, comments, candles }: WallContents, ids: ReadonlySet<string>): WallContents => ({
  pictures: pictures.filter(({ id }) => !ids.has(id)),
  comments: comments.filter(({ id }) => !ids.has(id)),
  candles: candles.filter(({ id }) => !ids.has(id)),
});
