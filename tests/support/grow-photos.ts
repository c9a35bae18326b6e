import type { Database } from "../../server/database/database.ts";

/**
 * Has a person's stored photos take up these many bytes, in the order of their file names, as if they were that large:
 * what is counted are rows, and nobody has to upload a gigabyte.
 */
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
