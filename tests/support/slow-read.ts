import type { Database } from "../../server/database/database.ts";

/**
 * Adds `rpc/slow_read` to a server: a read of constant work, about as many `seconds` of a processor as it is asked for, because
 * row policies and tables are too fast for tests of limits. A loop until a time would work less on a busy machine.
 */
export const addSlowRead = (db: Pick<Database, "exec">): Promise<unknown> =>
  db.exec(`create function public.slow_read(seconds float8) returns integer language plpgsql volatile as $$
  declare
    sum bigint := 0;
  begin
    for n in 1..(seconds * 10000000)::integer loop sum := sum + n; end loop;
    return 1;
  end $$;
  grant execute on function public.slow_read(float8) to anon, authenticated;
  notify pgrst, 'reload schema'`);
