import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { Returned, Row } from "../../../../shared/database.ts";
import type { SharePinState, ShareRights } from "../../../../shared/share.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { saveOver } from "../../../data/save-over.ts";
import { callFunction } from "../../../lib/request/call-function.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { inPages, lastOf, type PageOrder } from "../../../lib/request/in-pages.ts";
import { optimisticUpdate } from "../../../lib/request/optimistic-update.ts";
import { refresh } from "../../../lib/request/refresh.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";
import { useRowChanges } from "../../../lib/request/use-row-changes.ts";

/** The target of a link. */
export interface Shareable {
  kind: "memory" | "album";
  id: string;
  name: string;
  /** The rights of its links until a manager chooses others. */
  usualRights: ShareRights;
}

/** The target of a link that exists. */
export type LinkTarget = Pick<Shareable, "kind" | "id">;

/** The rights of new links: guests of a tribute can comment and light candles, and guests of an event also add photos. */
export const usualRights = (kind: "tribute" | "event"): ShareRights => (kind === "event" ? "contribute" : "comment");

/** A link to a memory or an album, as managers see it. */
export type ShareLink = Pick<
  Row<"share_links">,
  | "id"
  | "share_id"
  | "label"
  | "rights"
  | "shared_at"
  | "asks"
  | "expires_at"
  | "revoked_at"
  | "allows_download"
  | "moderated"
  | "shows_names"
  | "preview"
  | "for_card"
  | "locked_until"
  | "created_at"
  | "admitted_since_version"
  | "revision"
> & {
  /** Openings by hour, newest first, at most `COUNTED_OPENINGS`. */
  openings: Pick<Row<"share_openings">, "times" | "opened_at">[];
};

/** Maximum number of hours whose openings are loaded for each link. */
export const COUNTED_OPENINGS = 500;

const PAGE = 20;
const OLDEST_FIRST: PageOrder<Pick<ShareLink, "created_at" | "id">> = [
  ["created_at", "up"],
  ["id", "up"],
];

/**
 * The links of a memory or album in pages, oldest first, so that a memory's main link is first. `forCards` selects the
 * links of metal cards, which are a separate list because there may be hundreds.
 */
export const linksQuery = (client: SupabaseClient, { kind, id }: LinkTarget, forCards = false) =>
  infiniteQueryOptions({
    queryKey: queryKeys.shareLinks("pages", kind, id, { forCards }),
    queryFn: async ({ pageParam, signal }): Promise<ShareLink[]> => {
      const query = client
        .from("share_links")
        .select("*, openings:share_openings(times, opened_at)")
        .eq(`${kind}_id`, id)
        // Excludes links of invitations, because the list of people shows the invitations.
        .is("invitation_id", null)
        .is("for_card", forCards);
      return await inPages(query, OLDEST_FIRST, { after: pageParam, size: PAGE })
        .order("opened_at", { referencedTable: "openings", ascending: false })
        .limit(COUNTED_OPENINGS, { referencedTable: "openings" })
        .abortSignal(signal)
        .then(unwrap("Failed to load the links"));
    },
    initialPageParam: undefined as Pick<ShareLink, "created_at" | "id"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
  });

/** Number of links of metal cards to a memory or album. */
export const cardLinkCountQuery = (client: SupabaseClient, { kind, id }: LinkTarget) =>
  queryOptions({
    queryKey: queryKeys.shareLinks("count", kind, id),
    queryFn: async ({ signal }): Promise<number> => {
      const { count, error } = await client
        .from("share_links")
        .select("id", { count: "exact", head: true })
        .eq(`${kind}_id`, id)
        .is("for_card", true)
        .abortSignal(signal);
      if (error) throw new Error("Failed to load the links", { cause: error });
      return count ?? 0;
    },
  });

type LinkPages = InfiniteData<ShareLink[]>;

const withLink = (pages: LinkPages, id: string, change: Partial<ShareLink>): LinkPages => ({
  ...pages,
  pages: pages.pages.map((page) => page.map((link) => (link.id === id ? { ...link, ...change } : link))),
});

function useReadLinksAgain() {
  const cache = useQueryClient();
  return () => refresh(cache, queryKeys.shareLinks());
}

/** Returns a mutation that creates a link, optionally with a PIN, and resolves to its id. */
export function useCreateLink(client: SupabaseClient, { kind, id, usualRights }: Shareable, request: typeof fetch) {
  const again = useReadLinksAgain();
  return useMutation({
    mutationFn: async (pin: string | undefined): Promise<string> => {
      const data = await client
        .from("share_links")
        .insert({ rights: usualRights, ...(kind === "memory" ? { memory_id: id } : { album_id: id }) })
        .select("id")
        .single()
        .then(unwrap("Failed to create the link"));
      if (pin !== undefined) {
        await sendSecret(client, data.id, { pin }, request).catch(async (reason: unknown) => {
          // The link is deleted, because it must not be open without the requested PIN.
          await client.from("share_links").delete().eq("id", data.id);
          throw reason;
        });
      }
      return data.id;
    },
    onSettled: again,
  });
}

export type LinkChange = Partial<
  Pick<
    ShareLink,
    "rights" | "shared_at" | "expires_at" | "revoked_at" | "allows_download" | "moderated" | "shows_names" | "preview"
  >
>;

/** Returns a mutation that changes a link's settings, with an optimistic update. */
export function useChangeLink(client: SupabaseClient, link: Pick<ShareLink, "id">) {
  const cache = useQueryClient();
  return useMutation({
    // Requests run in sequence, because an undo may be pressed before the server has answered the change.
    scope: { id: `link-${link.id}` },
    mutationFn: async (change: LinkChange) => {
      await client
        .from("share_links")
        .update(change)
        .eq("id", link.id)
        .select("id")
        .single()
        .then(unwrap("Failed to change the link"));
    },
    ...optimisticUpdate(cache, {
      queryKey: queryKeys.shareLinks("pages"),
      change: (pages: LinkPages, change: LinkChange) => withLink(pages, link.id, change),
      readAgain: () => refresh(cache, queryKeys.shareLinks()),
    }),
  });
}

/** A link's name with the revision of its row. */
export type LinkLabel = Pick<ShareLink, "label" | "revision">;

/**
 * Returns a mutation that names a link over the name on which the new one is based. Rejects with `EditConflict` if
 * somebody else has named it since.
 */
export function useNameLink(client: SupabaseClient, link: Pick<ShareLink, "id">) {
  const again = useReadLinksAgain();
  const table = () => client.from("share_links");
  return useMutation({
    mutationFn: ({ base, label }: { base: LinkLabel; label: string }) =>
      saveOver<LinkLabel>(
        base,
        { label },
        {
          failure: "Failed to change the link",
          write: (changes) => table().update(changes).eq("id", link.id).select("label,revision").maybeSingle(),
          read: () => table().select("label,revision").eq("id", link.id).maybeSingle(),
        },
      ),
    onSettled: again,
  });
}

type Secret = { pin: string | null } | { passphrase: string };

async function sendSecret(client: SupabaseClient, linkId: string, secret: Secret, request: typeof fetch) {
  const { data } = await client.auth.getSession();
  const bearer = data.session?.access_token;
  return callFunction<SharePinState>("share-pin", { linkId, ...secret }, { bearer, request });
}

/** Returns a mutation that sets a link's secret, or removes it with `pin: null`. Visitors must open the link again. */
export function useSetSecret(client: SupabaseClient, link: Pick<ShareLink, "id">, request: typeof fetch) {
  const cache = useQueryClient();
  const again = useReadLinksAgain();
  return useMutation({
    mutationFn: (secret: Secret) => sendSecret(client, link.id, secret, request),
    onSuccess: ({ asks, version }) => {
      cache.setQueriesData<LinkPages>(
        { queryKey: queryKeys.shareLinks("pages") },
        (pages) => pages && withLink(pages, link.id, { asks, locked_until: null, admitted_since_version: version }),
      );
    },
    onSettled: again,
  });
}

/** Returns a mutation that turns a memory's main link on for the first time, with a PIN and the usual rights. */
export function useShareFirst(
  client: SupabaseClient,
  link: Pick<ShareLink, "id">,
  { usualRights }: Shareable,
  request: typeof fetch,
) {
  const again = useReadLinksAgain();
  return useMutation({
    mutationFn: async (pin: string) => {
      // Before the PIN, which turns the link on. Links of older memories have another right until then.
      await client
        .from("share_links")
        .update({ rights: usualRights })
        .eq("id", link.id)
        .is("shared_at", null)
        .then(unwrap("Failed to change the link"));
      await sendSecret(client, link.id, { pin }, request);
    },
    onSettled: again,
  });
}

/** Returns a mutation that resets a link's address. The old address and its printed codes stop working. */
export function useRemakeLink(client: SupabaseClient, link: Pick<ShareLink, "id">) {
  const again = useReadLinksAgain();
  return useMutation({
    mutationFn: async () => {
      await client.rpc("remake_link", { link_id: link.id }).then(unwrap("Failed to make the link anew"));
    },
    onSettled: again,
  });
}

/** Returns a mutation that deletes a link and its openings. The server refuses it for a memory's main link. */
export function useDeleteLink(client: SupabaseClient, link: Pick<ShareLink, "id">) {
  const again = useReadLinksAgain();
  return useMutation({
    mutationFn: async () => {
      await client.from("share_links").delete().eq("id", link.id).then(unwrap("Failed to delete the link"));
    },
    onSettled: again,
  });
}

/** An hour in which a link was opened. */
export type Opening = Returned<"link_openings">[number];

/** The openings of a link by hour, newest first. */
export const openingsQuery = (client: SupabaseClient, linkId: string) =>
  queryOptions({
    queryKey: queryKeys.shareLinks("openings", linkId),
    queryFn: async ({ signal }): Promise<Opening[]> =>
      client.rpc("link_openings", { link_id: linkId }).abortSignal(signal).then(unwrap("Failed to load the openings")),
  });

/** Reloads the links when they change, e.g. after an opening, or a lock caused by wrong PINs. */
export function useLinksLive(
  client: SupabaseClient,
  { kind, id }: LinkTarget,
  links: readonly Pick<ShareLink, "id">[],
) {
  const again = useReadLinksAgain();
  const ids = links.map((link) => link.id).join(",");
  useRowChanges(
    client,
    [
      { event: "*", table: "share_links", filter: `${kind}_id=eq.${id}` },
      ...(ids ? [{ event: "*" as const, table: "share_openings", filter: `link_id=in.(${ids})` }] : []),
    ],
    () => void again(),
  );
}
