import type { Database } from "../../server/database/database.ts";

/** Gives an account a paid plan for a year, or until `expiresAt`. */
export async function givePlan(
  db: Pick<Database, "query">,
  userId: string,
  { plan = "skies-memories", expiresAt = new Date(Date.now() + 365 * 86_400_000) } = {},
): Promise<void> {
  await db.query(
    `insert into user_subscriptions (user_id, plan_id, starts_at, expires_at)
     values ($1, $2, least(now(), $3::timestamptz - interval '1 year'), $3)`,
    [userId, plan, expiresAt],
  );
}

/** An account's storage by its rows, and by its stored counter. */
export async function usageOf(db: Pick<Database, "query">, account: string) {
  const { rows } = await db.query<{ stored: number; held: number; counted: number; counted_held: number }>(
    `select coalesce(sum((o.metadata ->> 'size')::bigint), 0)::bigint as stored,
       (select coalesce(sum(size), 0)::bigint from storage.uploads where account = $1 and finished_at is null) as held,
       (select coalesce(sum(u.stored), 0)::bigint from private.account_use u where u.account = $1) as counted,
       (select coalesce(sum(u.held), 0)::bigint from private.account_use u where u.account = $1) as counted_held
     from memories m join storage.objects o on o.name like m.id || '/%' where m.user_id = $1`,
    [account],
  );
  const { stored = 0, held = 0, counted, counted_held } = rows[0] ?? {};
  if (stored !== counted || held !== counted_held) {
    throw new Error(
      `Of ${account} ${stored} and ${held} bytes are kept, but ${counted} and ${counted_held} are counted`,
    );
  }
  return { stored, held };
}

/** Sets the sizes of a person's stored photos by name. Only rows count, so nobody has to upload a gigabyte. */
export async function growPhotos(db: Pick<Database, "query">, userId: string, sizes: number[]): Promise<void> {
  await db.query(
    `update storage.objects o set metadata = o.metadata || jsonb_build_object('size', ($2::bigint[])[ranked.n])
     from (
       select x.id, row_number() over (order by x.file_name) as n from media x join memories m on m.id = x.memory_id
       where m.user_id = $1
     ) ranked where ranked.id = o.id and ranked.n <= cardinality($2::bigint[])`,
    [userId, sizes],
  );
  await db.query(
    "update media m set size = (o.metadata ->> 'size')::bigint from storage.objects o where o.id = m.id and m.user_id = $1",
    [userId],
  );
}
