import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Returned, Row } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { useRefreshingMutation } from "../../../data/refreshing.ts";
import { callFunction } from "../../../lib/request/call-function.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { inPages, lastOf, type PageOrder } from "../../../lib/request/in-pages.ts";
import { requestAsUser } from "../../../lib/request/supabase.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";
import type { StaffRole } from "../../../lib/session/session.ts";

export type AccountRow = Returned<"desk_people">[number];
export type AccountDetails = Returned<"desk_person">;
export type Note = Pick<Row<"staff_notes">, "id" | "author" | "body" | "created_at">;

export const KINDS = ["all", "staff", "suspended"] as const;
export type Kind = (typeof KINDS)[number];

/** The page size of the database function. */
const PAGE = 50;

/** Accounts, newest first; `find` searches name, address and id. */
export const peopleQuery = (client: SupabaseClient, find: string, kind: Kind) =>
  infiniteQueryOptions({
    queryKey: queryKeys.deskPeople("list", find, kind),
    queryFn: async ({ pageParam, signal }): Promise<AccountRow[]> =>
      client
        .rpc("desk_people", { find, kind, before_at: pageParam?.created_at, before_id: pageParam?.id })
        .abortSignal(signal)
        .then(unwrap("Failed to load the accounts")),
    initialPageParam: undefined as Pick<AccountRow, "id" | "created_at"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
  });

/** An account's data; null if there is none. */
export const personQuery = (client: SupabaseClient, id: string) =>
  queryOptions({
    queryKey: queryKeys.deskPeople("one", id),
    queryFn: async ({ signal }): Promise<AccountDetails | null> => {
      const answer = await client.rpc("desk_person", { person: id }).abortSignal(signal);
      // A malformed id counts as unknown.
      if (answer.error?.hint === "not_found" || answer.error?.code === "22P02") return null;
      return unwrap("Failed to load the account")(answer);
    },
  });

const NEWEST_FIRST: PageOrder<Pick<Note, "created_at" | "id">> = [
  ["created_at", "down"],
  ["id", "up"],
];

/** Staff notes about an account, newest first. */
export const notesQuery = (client: SupabaseClient, userId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.deskPeople("notes", userId),
    queryFn: async ({ pageParam, signal }): Promise<Note[]> =>
      inPages(client.from("staff_notes").select("id,author,body,created_at").eq("user_id", userId), NEWEST_FIRST, {
        after: pageParam,
        size: PAGE,
      })
        .abortSignal(signal)
        .then(unwrap("Failed to load the notes")),
    initialPageParam: undefined as Pick<Note, "created_at" | "id"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
  });

/** Adds a note, or deletes one of the reader's own notes. */
export const useChangeNotes = (client: SupabaseClient, userId: string) =>
  useRefreshingMutation(
    [queryKeys.deskPeople("notes", userId)],
    async (change: { body: string } | { remove: string }) => {
      const notes = client.from("staff_notes");
      const request =
        "body" in change
          ? notes.insert({ user_id: userId, body: change.body })
          : notes.delete().eq("id", change.remove);
      await request.then(unwrap("Failed to change the notes"));
    },
  );

/** An action on an account with its parameters. */
export type Act =
  | { act: "suspend" | "let_back" | "sign-in-link" | "erase" }
  | { act: "address"; email: string }
  | { act: "plan"; plan: string; years: number | null }
  | { act: "end_plan"; subscription: string }
  | { act: "role"; role: StaffRole | null };

/** Runs an action as the signed-in administrator. Rejects with the error's code as cause. */
export const useAct = (client: SupabaseClient, person: AccountDetails) =>
  useRefreshingMutation(
    [queryKeys.deskPeople(), queryKeys.audit()],
    async ({ reason, ...action }: Act & { reason: string }) => {
      const error = await run(client, person, action, reason);
      if (error) throw new Error("Failed to change the account", { cause: error });
    },
  );

/** Resolves to the error's code, if any. */
async function run(client: SupabaseClient, { id, email }: AccountDetails, action: Act, reason: string) {
  const whom = { whom: id, reason };
  const answered = async (call: PromiseLike<{ error: { hint: string; code: string } | null }>) => {
    const { error } = await call;
    return error && (error.hint || error.code);
  };
  switch (action.act) {
    case "suspend":
      return answered(client.rpc("suspend_person", whom));
    case "let_back":
      return answered(client.rpc("let_back_person", whom));
    case "erase":
      return answered(client.rpc("erase_person", whom));
    case "plan":
      return answered(client.rpc("grant_plan", { email: id, plan: action.plan, years: action.years, reason }));
    case "end_plan":
      return answered(client.rpc("end_granted_plan", { subscription: action.subscription, reason }));
    case "role":
      return answered(client.rpc("set_staff_role", { email: email ?? "", role: action.role as string, reason }));
    default: {
      const { data } = await client.auth.getSession();
      return callFunction(
        "desk-account",
        { ...action, person: id, reason },
        {
          ...(data.session ? { bearer: data.session.access_token } : {}),
          request: requestAsUser,
        },
      ).then(
        () => null,
        (error: { code?: string }) => error.code ?? "failed",
      );
    }
  }
}
