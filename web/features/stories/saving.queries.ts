import type { PostgrestError } from "@supabase/supabase-js";
import { useTranslation } from "react-i18next";
import { useUndoableDelete } from "../../actions/undoable-delete.ts";
import { EditConflict, saveOver } from "../../data/save-over.ts";
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

/** A stored text; `revision` is null before it is stored. */
export interface Version extends Words {
  revision: number | null;
}

/** An error of an edit conflict; nothing was saved. `now` is the newer version, or null if the story was deleted. */
export class Overtaken extends Error {
  readonly now: Version | null;
  constructor(now: Version | null) {
    super("Changed by somebody else");
    this.now = now;
  }
}

type Stored = Words & { revision: number };
type Answer<Row> = PromiseLike<{ data: Row | null; error: PostgrestError | null }>;

/** Saves the changed parts of a text over `base`. Rejects with {@link Overtaken} if somebody changed the same part. */
async function saveText<Row extends object | null>(
  story: Words,
  base: Version,
  write: (changes: Partial<Words> & { revision: number }) => Answer<Row>,
  read: () => Answer<Row>,
  textOf: (row: NonNullable<Row>) => Stored,
): Promise<Stored> {
  const text = async (answer: Answer<Row>) => {
    const { data, error } = await answer;
    return { data: data && textOf(data), error };
  };
  try {
    return await saveOver<Stored>({ ...base, revision: base.revision ?? 0 }, story, {
      failure: "Failed to save the story",
      write: (changes) => text(write(changes)),
      read: () => text(read()),
    });
  } catch (error) {
    if (error instanceof EditConflict) throw new Overtaken((error as EditConflict<Stored>).stored);
    const now = await read();
    if (!now.error && !now.data) throw new Overtaken(null);
    throw error;
  }
}

/** Saves a memory's description over `base`. Changes to other fields of the memory are no conflict. */
export function saveDescription(client: SupabaseClient, memoryId: string, { html }: Words, base: Version) {
  const table = () => client.from("memories");
  return saveText(
    { title: "", html },
    { ...base, title: "" },
    ({ html: description = "", revision }) =>
      table().update({ description, revision }).eq("id", memoryId).select("description,revision").maybeSingle(),
    () => table().select("description,revision").eq("id", memoryId).maybeSingle(),
    ({ description, revision }) => ({ title: "", html: description, revision }),
  );
}

/** Adds a story with an id from the client, so that the request is idempotent: a repetition only updates the text. */
export async function addStory(client: SupabaseClient, memoryId: string, id: string, story: Words): Promise<void> {
  const row = { title: story.title, body: story.html };
  const { error } = await client.from("stories").insert({ id, memory_id: memoryId, ...row });
  const again = error?.code === "23505" ? await client.from("stories").update(row).eq("id", id) : { error };
  if (again.error) throw new Error("Failed to save the story", { cause: again.error });
}

/** Saves a story over `base`. */
export function saveStory(client: SupabaseClient, id: string, story: Words, base: Version): Promise<Version> {
  const table = () => client.from("stories");
  return saveText(
    { title: story.title, html: story.html },
    base,
    ({ html, ...changes }) =>
      table()
        .update({ ...changes, ...(html !== undefined && { body: html }) })
        .eq("id", id)
        .select("title,body,revision")
        .maybeSingle(),
    () => table().select("title,body,revision").eq("id", id).maybeSingle(),
    ({ title, body, revision }) => ({ title, html: body, revision }),
  );
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
