import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Returned, Row } from "../../../shared/database.ts";
import { emailDeps } from "../../actions/emails/email-deps.ts";
import { type PersonalEmail, type SendResult, sendEmail } from "../../actions/emails/send-email.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useRefreshedData, useRefreshingMutation } from "../../data/refreshing.ts";
import { track } from "../../lib/browser/analytics.ts";
import { createStore, useStore } from "../../lib/browser/store.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { inPages, lastOf, type PageOrder } from "../../lib/request/in-pages.ts";
import { refresh } from "../../lib/request/refresh.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { paths } from "../../paths.ts";
import { readAgain } from "./people.queries.ts";

/** An open invitation, as managers see it. */
export type Invitation = Pick<
  Row<"invitations">,
  "id" | "memory_id" | "email" | "role" | "note" | "language" | "sent_at"
>;

const PAGE = 30;
const BY_ADDRESS: PageOrder<Pick<Invitation, "email">> = [["email", "up"]];

/** A memory's open invitations in pages, ordered by email address. */
export const invitationsQuery = (client: SupabaseClient, memoryId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.invitations(memoryId),
    queryFn: async ({ pageParam, signal }): Promise<Invitation[]> => {
      const query = client
        .from("invitations")
        .select("id,memory_id,email,role,note,language,sent_at")
        .eq("memory_id", memoryId)
        .eq("state", "open");
      return await inPages(query, BY_ADDRESS, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load invitations"));
    },
    initialPageParam: undefined as Pick<Invitation, "email"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
  });

/** An open invitation to the signed-in person's email address. */
export type MyInvitation = Returned<"my_invitations">[number];

export const myInvitationsQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.myInvitations(userId),
    queryFn: async ({ signal }): Promise<MyInvitation[]> =>
      client.rpc("my_invitations").abortSignal(signal).then(unwrap("Failed to load invitations")),
  });

/** Reloads the person's invitations and handover offers when they change. */
export function usePendingInvitationsLive(client: SupabaseClient, { id, email }: { id: string; email: string }) {
  const changes = [
    { event: "*", table: "invitations", filter: `email=eq.${email.toLowerCase()}` },
    { event: "*", table: "handovers", filter: `to_user=eq.${id}` },
  ] as const;
  useRefreshedData(client, changes, [queryKeys.myInvitations(id), queryKeys.handovers(id)]);
}

/** An error if the address already has an open invitation. */
export class AlreadyInvited extends Error {}

/** Ids of invitations whose email is being sent. */
const beingSent = createStore<ReadonlySet<string>>(new Set());

/** Whether the email of an invitation is being sent. */
export const useIsBeingSent = (id: string): boolean => useStore(beingSent).has(id);

/** Marks an invitation as being sent while `work` runs. */
export async function whileBeingSent<T>(id: string, work: () => Promise<T>): Promise<T> {
  beingSent.set(new Set([...beingSent.get(), id]));
  return work().finally(() => beingSent.set(new Set([...beingSent.get()].filter((other) => other !== id))));
}

/** Returns a mutation that creates an invitation under a new id. It may reject with {@link AlreadyInvited}. */
export const useMakeInvitation = (client: SupabaseClient, memoryId: string) =>
  useRefreshingMutation(
    [queryKeys.invitations(memoryId)],
    async (invitation: Pick<Invitation, "id" | "email" | "role" | "note" | "language">): Promise<Invitation> => {
      const row = { memory_id: memoryId, ...invitation, email: invitation.email.trim().toLowerCase() };
      const { error } = await client.from("invitations").insert(row);
      if (error?.code === "23505") throw new AlreadyInvited("There is an open invitation already", { cause: error });
      if (error) throw new Error("Failed to save the invitation", { cause: error });
      return { ...row, sent_at: null };
    },
  );

/** Returns a mutation that emails an invitation and stores the time, if the server has confirmed the email. */
export const useMailInvitation = (client: SupabaseClient, memoryId: string) =>
  useRefreshingMutation(
    [queryKeys.invitations(memoryId)],
    async ({ id, write }: { id: string; write: (path: string) => PersonalEmail }): Promise<SendResult> => {
      const result = await sendEmail("memory", write(await emailPath(client, id)), emailDeps);
      if (result === "skipped") return result;
      track({ name: "share", method: "invitation" });
      if (result === "unconfirmed") return result;
      // A failure of this update is ignored, because the email is enqueued.
      await client
        .from("invitations")
        .update({ sent_at: new Date(serverNow()).toISOString() })
        .eq("id", id);
      return result;
    },
  );

/** Resolves to an invitation's URL for an email, with a new token in the fragment, which is not sent to any server. */
async function emailPath(client: SupabaseClient, id: string): Promise<string> {
  const data = await client
    .rpc("invitation_email", { invitation_id: id })
    .single()
    .then(unwrap("Failed to write the invitation"));
  return paths.invited(data.share_id, data.token);
}

export const useWithdraw = (client: SupabaseClient, memoryId: string) =>
  useRefreshingMutation([queryKeys.invitations(memoryId)], async (id: string) => {
    await client
      .from("invitations")
      .update({ state: "withdrawn" })
      .eq("id", id)
      .then(unwrap("Failed to withdraw the invitation"));
  });

export const useMailPlatformInvitation = () =>
  useMutation({ mutationFn: (mail: PersonalEmail) => sendEmail("platform", mail, emailDeps) });

/** Returns a mutation that accepts an invitation and resolves to whether the invitation was still open. */
export function useAccept(client: SupabaseClient) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: MyInvitation): Promise<boolean> => {
      const { error, status } = await client.rpc("answer_invitation", { invitation_id: id, accept: true });
      if (status === 409 || status === 404) return false;
      if (error) throw new Error("Failed to answer the invitation", { cause: error });
      return true;
    },
    onSuccess: async (_open, { memory_id }) => {
      await readAgain(cache, memory_id);
      await refresh(cache, queryKeys.myInvitations());
    },
  });
}

/** Declines invitations to the signed-in person. Those that are no longer open stay as they are. */
export async function declineInvitations(client: SupabaseClient, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { error, status } = await client.rpc("answer_invitation", { invitation_id: id, accept: false });
    if (error && status !== 409 && status !== 404) throw new Error("Failed to answer the invitation", { cause: error });
  }
}
