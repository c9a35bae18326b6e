import { queryOptions } from "@tanstack/react-query";
import type { ApproximateDate } from "../../../shared/approximate-date.ts";
import type { Row } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useRefreshedData, useRefreshingMutation } from "../../data/refreshing.ts";
import { NotUndone, saveOver } from "../../data/save-over.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** The author of additions: a guest or a signed-in person. */
export interface Adder {
  id: string;
  /** The column of the added rows that contains the id. */
  column: "guest_id" | "own_id";
}

/** One of the visitor's own additions. */
export interface Addition {
  id: string;
  kind: Row<"media">["type"] | "words";
  /** The object name of a file. */
  object_name: string;
  file_name: string;
  state: "waiting" | "ready" | "broken";
  /** A file's caption, or a story (HTML). */
  text: string;
  revision: number;
  moderation: "shown" | "held" | "hidden";
  created_at: string;
  /** The date of a file. */
  taken_at: ApproximateDate | null;
}

const keyOf = (memoryId: string, by: Adder) => queryKeys.ownAdditions(memoryId, by.id);

/** The visitor's additions to a memory, newest first. */
export const additionsQuery = (client: SupabaseClient, memoryId: string, by: Adder) =>
  queryOptions({
    queryKey: keyOf(memoryId, by),
    queryFn: async ({ signal }): Promise<Addition[]> => {
      const [media, stories] = await Promise.all([
        client
          .from("media")
          .select(
            `id,type,object_name,state,caption,revision,moderation,created_at,details:media_details!inner(file_name,taken_at)`,
          )
          .eq("memory_id", memoryId)
          .neq("moderation", "attached")
          .eq(`details.${by.column}`, by.id)
          .abortSignal(signal),
        client
          .from("stories")
          .select("id,body,revision,moderation,created_at")
          .eq("memory_id", memoryId)
          .eq(by.column, by.id)
          .abortSignal(signal),
      ]);
      if (media.error || stories.error)
        throw new Error("Failed to load additions", { cause: media.error ?? stories.error });
      const files = media.data.flatMap(({ type, caption, details, moderation, ...file }) =>
        moderation === "attached" ? [] : [{ ...file, ...details, moderation, kind: type, text: caption }],
      );
      const texts = stories.data.map(({ body, ...story }) => ({
        ...story,
        kind: "words" as const,
        text: body,
        object_name: "",
        file_name: "",
        state: "ready" as const,
        taken_at: null,
      }));
      return [...files, ...texts].sort((a, b) => b.created_at.localeCompare(a.created_at));
    },
  });

/** Shows managers' decisions live. */
export function useAdditionsLive(client: SupabaseClient, memoryId: string, by: Adder) {
  const filter = `memory_id=eq.${memoryId}`;
  useRefreshedData(
    client,
    ["media", "stories"].map((table) => ({ event: "*" as const, table, filter })),
    [keyOf(memoryId, by)],
  );
}

/** Saves a new story. */
export const useSaveWords = (client: SupabaseClient, memoryId: string, by: Adder) =>
  useRefreshingMutation(
    [keyOf(memoryId, by), queryKeys.stories(memoryId)],
    async ({ id, text }: { id: string; text: string }) => {
      const { error } = await client.from("stories").insert({ id, memory_id: memoryId, body: htmlOf(text) });
      // 23505: an earlier request stored the story, and its response was lost.
      if (error && error.code !== "23505") throw new Error("Failed to save words", { cause: error });
    },
  );

/** An addition's text and the revision of its row. */
export type AdditionText = Pick<Addition, "text" | "revision">;

interface TextInput {
  addition: Pick<Addition, "id" | "kind">;
  /** The text when editing began, or that of somebody else over which to save. */
  base: AdditionText;
  /** Plain text. */
  text: string;
}

/**
 * Saves the caption of a file or the text of a story over the text on which it is based. Rejects with `EditConflict` if
 * somebody else, e.g. a manager, has changed it since.
 */
export const useSaveText = (client: SupabaseClient, memoryId: string, by: Adder) =>
  useRefreshingMutation(
    [keyOf(memoryId, by), queryKeys.stories(memoryId)],
    async ({ addition: { id, kind }, base, text }: TextInput): Promise<void> => {
      const failure = "Failed to save words";
      const media = () => client.from("media");
      const stories = () => client.from("stories");
      const ofMedia = "text:caption,revision" as const;
      const ofStories = "text:body,revision" as const;
      if (kind === "words") {
        await saveOver<AdditionText>(
          base,
          { text: htmlOf(text) },
          {
            failure,
            write: ({ text: body = "", revision }) =>
              stories().update({ body, revision }).eq("id", id).select(ofStories).maybeSingle(),
            read: () => stories().select(ofStories).eq("id", id).maybeSingle(),
          },
        );
      } else {
        await saveOver<AdditionText>(
          base,
          { text },
          {
            failure,
            write: ({ text: caption = "", revision }) =>
              media().update({ caption, revision }).eq("id", id).select(ofMedia).maybeSingle(),
            read: () => media().select(ofMedia).eq("id", id).maybeSingle(),
          },
        );
      }
    },
  );

/**
 * Sets the date of a file; null removes it. An undo names the date that the file must still have as `expected`, and
 * rejects with `NotUndone` otherwise.
 */
export const useSaveDate = (client: SupabaseClient, memoryId: string, by: Adder) =>
  useRefreshingMutation(
    [keyOf(memoryId, by), queryKeys.photos(memoryId)],
    async ({ id, date, expected }: { id: string; date: ApproximateDate | null; expected?: ApproximateDate | null }) => {
      const failure = unwrap("Failed to set dates");
      const values = { ids: [id], dates: [date] };
      if (expected === undefined) return void (await client.rpc("set_media_dates", values).then(failure));
      const restored = await client.rpc("restore_media_dates", { ...values, expected: [expected] }).then(failure);
      if (restored.length === 0) throw new NotUndone();
    },
  );

/** Permanently deletes an addition. */
export async function withdraw(client: SupabaseClient, { id, kind, object_name }: Addition): Promise<void> {
  const { error } =
    kind === "words"
      ? await client.from("stories").delete().eq("id", id)
      : await client.storage.from("media").remove([object_name]);
  if (error) throw new Error("Failed to withdraw", { cause: error });
}

/** Converts plain text to a story's HTML; an empty line separates paragraphs. */
function htmlOf(text: string): string {
  const element = document.createElement("div");
  for (const paragraph of text.trim().split(/\n\s*\n/)) {
    const p = document.createElement("p");
    for (const [index, line] of paragraph.split("\n").entries()) {
      if (index > 0) p.append(document.createElement("br"));
      p.append(line);
    }
    element.append(p);
  }
  return element.innerHTML.replaceAll("<br>", "<br />");
}

/** The text of a story without its markup. */
export function textOf(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const br of page.querySelectorAll("br")) br.replaceWith("\n");
  return [...page.body.children].map((child) => child.textContent ?? "").join("\n\n");
}
