import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Returned, Row } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { useRefreshingMutation } from "../../../data/refreshing.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { lastOf } from "../../../lib/request/in-pages.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";

export type InboxRow = Returned<"desk_inbox">[number];
export type InboxThread = Returned<"desk_inbox_item">;
export type ReportFacts = NonNullable<InboxThread["report"]>;

export const STATES = ["new", "open", "answered", "closed"] as const;

/** The page size of the database function. */
const PAGE = 50;

/** Messages and reports, newest first; without a state, those that are not closed. */
export const inboxQuery = (
  client: SupabaseClient,
  find: string,
  choices: Record<"state" | "kind" | "assignee", string>,
) =>
  infiniteQueryOptions({
    queryKey: queryKeys.deskInbox("list", find, choices),
    queryFn: async ({ pageParam, signal }): Promise<InboxRow[]> =>
      client
        .rpc("desk_inbox", {
          find,
          stage: choices.state || "unsettled",
          about: choices.kind,
          taken: choices.assignee,
          before_at: pageParam?.created_at,
          before_id: pageParam?.id,
        })
        .abortSignal(signal)
        .then(unwrap("Failed to load the inbox")),
    initialPageParam: undefined as Pick<InboxRow, "id" | "created_at"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
  });

/** A message or report with the entries of staff; null if there is none. */
export const threadQuery = (client: SupabaseClient, id: string) =>
  queryOptions({
    queryKey: queryKeys.deskInbox("one", id),
    queryFn: async ({ signal }): Promise<InboxThread | null> => {
      const answer = await client.rpc("desk_inbox_item", { item: id }).abortSignal(signal);
      // A malformed id counts as unknown.
      if (answer.error?.hint === "not_found" || answer.error?.code === "22P02") return null;
      return unwrap("Failed to load the message")(answer);
    },
  });

export type Decision = "hide" | "ask" | "suspend" | "nothing" | "reopen";

/** An action of staff on an item. */
type Act =
  | { change: Partial<Pick<Row<"inbox_items">, "state" | "assignee">> }
  | { id: string; write: "answer" | "note"; body: string }
  | { decision: Decision; reason: string; message?: string; person?: string };

/** Runs an action. Rejects with the error's code as cause. */
export const useInboxAct = (client: SupabaseClient, item: string) =>
  useRefreshingMutation([queryKeys.deskInbox(), queryKeys.audit()], async (act: Act) => {
    const { error } = await run(client, item, act);
    // 23505: the entry was sent twice and is stored already.
    if (error && !("write" in act && error.code === "23505"))
      throw new Error("Failed to change the inbox", { cause: error.hint || error.code });
  });

const run = (client: SupabaseClient, item: string, act: Act) => {
  if ("change" in act) return client.from("inbox_items").update(act.change).eq("id", item);
  if ("write" in act)
    return client.from("inbox_entries").insert({ id: act.id, item_id: item, kind: act.write, body: act.body });
  const { decision, reason, message, person } = act;
  return client.rpc("settle_report", { report: item, decision, reason, words: message, person });
};
