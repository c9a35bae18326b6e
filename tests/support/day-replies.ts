import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";
import type { Row } from "../../shared/database.ts";
import type { World } from "./world.ts";

type Settings = Partial<Omit<Row<"day_reply_settings">, "memory_id">> & { parts?: string[] };

interface ReplyInput {
  answer?: string | null;
  names?: string[];
  parts?: string[];
  note?: string;
  answers?: unknown;
  revision?: number | null;
  id?: string | null;
  most?: number;
}

interface SavedReply {
  id: string;
  waiting: boolean;
  revision: number;
}

/** Calls of the functions of replies, for the part of a world's day that everybody may see. */
export function repliesTo(db: Database, { memoryId, streamedEntryId, callers }: World) {
  const run = async <Result = Record<string, unknown>>(caller: Caller, text: string, values: unknown[] = []) =>
    asCaller(db, caller, async (tx) => (await tx.query<Result>(text, values)).rows);
  const ask = ({ parts = [streamedEntryId], ...settings }: Settings = {}, caller = callers.owner) =>
    run(caller, "select save_day_reply_settings($1, $2, $3, $4, $5, $6, $7, $8)", [
      memoryId,
      parts,
      settings.closes_at ?? null,
      settings.time_zone ?? "Europe/Rome",
      settings.places ?? null,
      settings.waiting_list ?? true,
      JSON.stringify(settings.questions ?? []),
      settings.revision ?? null,
    ]);
  return {
    run,
    ask,
    /** Changes the settings over their stored revision. */
    async change(settings: Settings) {
      const [row] = await run<{ revision: number }>(callers.owner, "select revision from day_reply_settings");
      await ask({ ...settings, ...row });
    },
    async reply(caller: Caller, input: ReplyInput = {}, memory = memoryId): Promise<SavedReply> {
      const [row] = await run<{ result: SavedReply }>(
        caller,
        "select save_day_reply($1, $2, $3, $4, $5, $6, $7, $8, $9) as result",
        [
          memory,
          input.answer === undefined ? "yes" : input.answer,
          input.names ?? ["Gina"],
          input.parts ?? [streamedEntryId],
          input.note ?? "",
          JSON.stringify(input.answers ?? {}),
          input.revision ?? null,
          input.id ?? null,
          input.most ?? null,
        ],
      );
      if (!row) throw new Error("No reply");
      return row.result;
    },
    /** Adds a guest of the link by which guests contribute, or of another one in its first version. */
    async newGuest(name = "Gina", link?: string): Promise<Caller> {
      const share = callers.guest.share as { link: string };
      const linkId = link ?? share.link;
      const { rows } = await db.query<{ id: string }>(
        "insert into guests (link_id, name) values ($1, $2) returning id",
        [linkId, name],
      );
      return { role: "anon", share: { link: linkId, version: 1, guest: rows[0]?.id } };
    },
  };
}
