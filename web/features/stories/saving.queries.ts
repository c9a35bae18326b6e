import { useTranslation } from "react-i18next";
import { useUndoableDelete } from "../../actions/undoable-delete.ts";
import { useStore } from "../../lib/browser/store.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { TrashDeletions } from "../../lib/request/deletions.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** The text being edited: the memory's description, a new story, or the story with this id. */
export type Target = "own" | "new" | (string & {});

/** A text about a memory. The title of the description is empty. */
export interface Words {
  title: string;
  html: string;
}

/** A stored text; `updatedAt` is null before it is stored. */
export interface Version extends Words {
  updatedAt: string | null;
}

/** An error of an edit conflict; nothing was saved. `now` is the newer version, or null if the story was deleted. */
export class Overtaken extends Error {
  readonly now: Version | null;
  constructor(now: Version | null) {
    super("Changed by somebody else");
    this.now = now;
  }
}

const TRIES = 3;

/**
 * Saves a memory's description if it has not changed since editing began; otherwise rejects with {@link Overtaken}.
 * Changes to other fields of the memory are no conflict.
 */
export async function saveDescription(
  client: SupabaseClient,
  memoryId: string,
  { html }: Words,
  base: Version,
): Promise<Version> {
  let updatedAt = base.updatedAt ?? "";
  for (let tries = 0; tries < TRIES; tries++) {
    const { data, error } = await client
      .from("memories")
      .update({ description: html })
      .eq("id", memoryId)
      .eq("updated_at", updatedAt)
      .select("description,updated_at")
      .maybeSingle();
    if (error) throw new Error("Failed to save the story", { cause: error });
    if (data) return { title: "", html: data.description, updatedAt: data.updated_at };
    const now = await client.from("memories").select("description,updated_at").eq("id", memoryId).maybeSingle();
    if (now.error) throw new Error("Failed to save the story", { cause: now.error });
    if (now.data?.description !== base.html) {
      throw new Overtaken(now.data && { title: "", html: now.data.description, updatedAt: now.data.updated_at });
    }
    updatedAt = now.data.updated_at;
  }
  throw new Error("Failed to save the story");
}

/** Adds a story with an id from the client, so that the request is idempotent: a repetition only updates the text. */
export async function addStory(client: SupabaseClient, memoryId: string, id: string, words: Words): Promise<void> {
  const row = { title: words.title, body: words.html };
  const { error } = await client.from("stories").insert({ id, memory_id: memoryId, ...row });
  const again = error?.code === "23505" ? await client.from("stories").update(row).eq("id", id) : { error };
  if (again.error) throw new Error("Failed to save the story", { cause: again.error });
}

/** Saves a story if it has not changed since editing began; otherwise rejects with {@link Overtaken}. */
export async function saveStory(client: SupabaseClient, id: string, words: Words, base: Version): Promise<Version> {
  const { data, error } = await client
    .from("stories")
    .update({ title: words.title, body: words.html })
    .eq("id", id)
    .eq("updated_at", base.updatedAt ?? "")
    .select("title,body,updated_at")
    .maybeSingle();
  if (error) throw new Error("Failed to save the story", { cause: error });
  if (data) return { title: data.title, html: data.body, updatedAt: data.updated_at };
  const now = await client.from("stories").select("title,body,updated_at").eq("id", id).maybeSingle();
  if (now.error) throw new Error("Failed to save the story", { cause: now.error });
  throw new Overtaken(now.data && { title: now.data.title, html: now.data.body, updatedAt: now.data.updated_at });
}

const deletions = new TrashDeletions<{ id: string }>({
  kind: "story",
  client: () => supabase,
  remove: async (client, stories) => {
    const ids = stories.map(({ id }) => id);
    await client.from("stories").delete().in("id", ids).then(unwrap("Failed to delete the story"));
  },
});

/** Returns the ids of recently deleted stories, which must be hidden. */
export const useHiddenStories = () => useStore(deletions.hidden);

/** Returns a function that moves a story to the trash, with an undo in the toast. */
export function useDeleteStory(queryKey: readonly unknown[]) {
  const { t } = useTranslation("stories");
  const remove = useUndoableDelete(deletions);
  return (id: string) =>
    remove(
      [{ id }],
      {
        done: t("read.withdrawn"),
        undo: t("write.undo"),
        failed: t("read.withdrawFailed"),
        failedText: t("read.withdrawFailedText"),
      },
      [queryKey],
    );
}
