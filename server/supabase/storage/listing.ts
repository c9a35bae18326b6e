import { z } from "zod";
import { type Caller, queryAsCaller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";

export const Listing = z.object({
  prefix: z.string().max(1024).default(""),
  search: z.string().max(1024).default(""),
  limit: z.number().int().min(1).max(1000).default(100),
  offset: z.number().int().min(0).default(0),
  sortBy: z
    .object({
      column: z.enum(["name", "updated_at", "created_at", "last_accessed_at"]).default("name"),
      order: z.enum(["asc", "desc"]).default("asc"),
    })
    .default({ column: "name", order: "asc" }),
});

/** Resolves to the JSON text of a folder's direct content: its objects, and its folders as rows without an id. */
export async function listObjects(
  db: Database,
  caller: Caller,
  bucket: string,
  { prefix, search, limit, offset, sortBy }: z.infer<typeof Listing>,
): Promise<string> {
  const folder = prefix.replace(/^\/+|\/+$/g, "");
  const start = folder === "" ? "" : `${folder}/`;
  const { body } = await queryAsCaller(
    db,
    caller,
    `with below as (
       select *, substr(name, length($1[2]) + 1) as rest,
         -- By these the very bytes are known again, and when they were made: they are for whoever has the bytes.
         case when storage.access_to(o) = 'original' then metadata else metadata - '{sha256,crc32,recorded,contentIdentifier}'::text[] end as facts
       from storage.objects o
       where bucket_id = $1[1] and name like $1[3]
         -- Of these the index makes a range also under row policies, which come before what might tell of a row.
         and name ~>=~ $1[6] and name ~<~ ($1[6] || chr(1114111))
     ), entries as (
       select rest as name, id, updated_at, created_at, last_accessed_at, facts as metadata from below where strpos(rest, '/') = 0
       union all
       select distinct split_part(rest, '/', 1), null::uuid, null::timestamptz, null::timestamptz, null::timestamptz,
         null::jsonb from below where strpos(rest, '/') > 0
     )
     select coalesce(jsonb_agg(to_jsonb(e)), '[]')::text, count(*), null::bigint from (
       select * from entries order by ${sortBy.column} ${sortBy.order}, name limit $1[4]::integer offset $1[5]::integer
     ) e`,
    [bucket, start, `${literally(start + search)}%`, String(limit), String(offset), start + search],
  );
  return body;
}

/** Escapes a text as a pattern of `like` that matches only itself. */
const literally = (text: string) => text.replace(/[\\%_]/g, "\\$&");
