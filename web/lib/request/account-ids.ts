import type { SupabaseClient } from "./database-client.ts";

/** Columns with ids of accounts, which the database does not give to visitors without an account. */
type AccountColumn = "user_id" | "mentions";

const visitors = new WeakMap<SupabaseClient, () => boolean>();

/** Registers a client that has a share link's access; `hasAccount` tells whether its token names a signed-in person. */
export const registerVisitor = (client: SupabaseClient, hasAccount: () => boolean) => visitors.set(client, hasAccount);

/**
 * Adds columns with ids of accounts to those of a request, if its client may select them: otherwise the database refuses
 * the request. The type stays that of `columns`, so a row type declares the added ones as optional.
 */
export const withAccountIds = <Columns extends string>(
  client: SupabaseClient,
  columns: Columns,
  ...added: AccountColumn[]
): Columns => ((visitors.get(client)?.() ?? true) ? ([columns, ...added].join(",") as Columns) : columns);
