import type { SupabaseClient } from "./database-client.ts";

/** Columns with ids of accounts, which visitors of a link are not told. */
type AccountColumn = "user_id" | "mentions";

const visitors = new WeakMap<SupabaseClient, () => boolean>();

/** Registers a client that has a share link's access; `hasAccount` tells whether its token names a signed-in person. */
export const registerVisitor = (client: SupabaseClient, hasAccount: () => boolean) => visitors.set(client, hasAccount);

/**
 * Adds columns with ids of accounts to those of a request, if its client may select them: otherwise the server refuses
 * the request. A signed-in visitor of a link gets `user_id` of their own rows only. The type stays that of `columns`, so
 * a row type declares the added ones as optional.
 */
export function withAccountIds<Columns extends string>(
  client: SupabaseClient,
  columns: Columns,
  ...added: AccountColumn[]
): Columns {
  const hasAccount = visitors.get(client);
  if (!hasAccount) return [columns, ...added].join(",") as Columns;
  return hasAccount() && added.includes("user_id") ? (`${columns},user_id:own_id` as Columns) : columns;
}
