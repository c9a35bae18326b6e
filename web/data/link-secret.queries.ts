import { queryOptions } from "@tanstack/react-query";
import type { Row } from "../../shared/database.ts";
import type { ReadableSecret } from "../../shared/share.ts";
import { callFunction } from "../lib/request/call-function.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";

type SecretLink = Pick<Row<"share_links">, "id" | "admitted_since_version">;

async function readSecret(client: SupabaseClient, linkId: string, request: typeof fetch): Promise<string | null> {
  const { data } = await client.auth.getSession();
  const bearer = data.session?.access_token;
  return (await callFunction<ReadableSecret>("read-share-pin", { linkId }, { bearer, request })).secret;
}

/**
 * The PIN or passphrase of a link; null if it was set before secrets could be shown. The cache keeps it only while it
 * is displayed.
 */
export const secretQuery = (
  client: SupabaseClient,
  { id, admitted_since_version }: SecretLink,
  request: typeof fetch,
) =>
  queryOptions({
    queryKey: ["link-secret", id, admitted_since_version],
    queryFn: () => readSecret(client, id, request),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** The same of several links, in their order. */
export const secretsQuery = (client: SupabaseClient, links: readonly SecretLink[], request: typeof fetch) =>
  queryOptions({
    queryKey: ["link-secrets", ...links.map(({ id, admitted_since_version }) => `${id} ${admitted_since_version}`)],
    queryFn: () => Promise.all(links.map(({ id }) => readSecret(client, id, request))),
    enabled: links.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
