import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../shared/database.ts";
import { told } from "./stories.ts";

/** Brings what is told of a memory, where nothing is told yet. Its photos are there by then. */
export async function ensureStories(client: SupabaseClient<Database>, memoryId: string, name: string) {
  const { stories, entries } = told[name] ?? { stories: [], entries: [] };
  const { data: photos } = await client.from("media").select("id, file_name").eq("memory_id", memoryId).throwOnError();
  const idOf = (fileName: string | undefined) => photos.find(({ file_name }) => file_name === fileName)?.id ?? null;
  const isEmpty = async (table: "stories" | "memory_entries") => {
    const { data } = await client.from(table).select("id").eq("memory_id", memoryId).limit(1).throwOnError();
    return data.length === 0;
  };
  if (stories.length > 0 && (await isEmpty("stories"))) {
    for (const { title, body } of stories) {
      const withPhotos = body.replace(
        /{([^|}]+)\|([^}]*)}/g,
        (_, file: string, caption: string) =>
          `<figure data-media="${idOf(file)}"><figcaption>${caption}</figcaption></figure>`,
      );
      // One after another: each takes its place after those before.
      await client.from("stories").insert({ memory_id: memoryId, title, body: withPhotos }).throwOnError();
    }
  }
  if (entries.length > 0 && (await isEmpty("memory_entries"))) {
    const rows = entries.map(({ photo, place = "", note = "", ...entry }) => ({
      on_date: null,
      starts_at: null,
      ...entry,
      place,
      note,
      memory_id: memoryId,
      media_id: idOf(photo),
    }));
    await client.from("memory_entries").insert(rows).throwOnError();
  }
}
