import type pg from "pg";

/** How long a statement of each role may take, as PostgreSQL writes it: `3s`. */
type Limits = Map<string, string>;

/** No limit: what the server itself does, as migrations and jobs. */
const NONE = "0";
/**
 * Settings of every connection. Row policies look expensive to the planner, so that it would compile nearly every query,
 * which takes longer than to run it. A transaction that waits for its own client holds locks that others wait for.
 */
const SESSION = "set jit = off; set lock_timeout = '30s'; set idle_in_transaction_session_timeout = '60s'";

/**
 * Applies each role's `statement_timeout`, which an administrator sets by `alter role … set statement_timeout`. PostgreSQL
 * itself applies it to sessions of that role only, and here roles are switched inside a session.
 */
export function openTimeLimits() {
  const applied = new WeakMap<pg.PoolClient, string>();
  let known: Limits | undefined;
  return {
    /** Leaves the connection with the limit of `role`; costs a round trip only where it is new or had another one. */
    async apply(client: pg.PoolClient, role: string | undefined): Promise<void> {
      if (role !== undefined) known ??= await read(client);
      if (!applied.has(client)) {
        await client.query(SESSION);
        applied.set(client, NONE);
      }
      const wanted = (role !== undefined && known?.get(role)) || NONE;
      if (applied.get(client) === wanted) return;
      await client.query("select set_config('statement_timeout', $1, false)", [wanted]);
      applied.set(client, wanted);
    },
  };

  async function read(client: pg.PoolClient): Promise<Limits> {
    const { rows } = await client.query<{ role: string; value: string }>(
      `select rolname as role, split_part(setting, '=', 2) as value
       from pg_roles, unnest(rolconfig) as setting where setting like 'statement\\_timeout=%'`,
    );
    return new Map(rows.map(({ role, value }) => [role, value]));
  }
}
