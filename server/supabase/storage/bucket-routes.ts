import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { queryAsCaller } from "../../database/as-caller.ts";
import { type Answer, isSqlError } from "../../database/database.ts";
import type { Routes } from "../route-schemas.ts";
import type { StorageContext } from "./context.ts";
import { isBucketName } from "./requests.ts";
import { bucketNotFound, notSupported, StorageError } from "./storage-error.ts";

const UNITS: Record<string, number> = { B: 1, KB: 1000, MB: 1000 ** 2, GB: 1000 ** 3 };

/** A number of bytes, or a text with a unit, e.g. `50MB`. */
const Bytes = z.union([
  z.number().int().nonnegative(),
  z
    .string()
    .regex(/^\d+(\.\d+)?\s*(B|KB|MB|GB)?$/i, "must be a number of bytes, as 1000 or 50MB")
    .transform((text) =>
      Math.floor(Number.parseFloat(text) * (UNITS[text.replace(/[^a-z]/gi, "").toUpperCase()] ?? 1)),
    ),
]);
const Limits = {
  public: z.boolean().nullish(),
  file_size_limit: Bytes.nullish(),
  allowed_mime_types: z.array(z.string().max(200)).max(100).nullish(),
};
const NewBucket = z.object({
  id: z.string().optional(),
  name: z.string().refine(isBucketName, "cannot name a bucket"),
  type: z.string().optional(),
  ...Limits,
});
const Changes = z.object(Limits);
const Id = z.object({ id: z.string() });
const Listing = z.object({
  limit: z.coerce.number().int().min(0).max(1000).default(100),
  offset: z.coerce.number().int().min(0).default(0),
  sortColumn: z.enum(["id", "name", "created_at", "updated_at"]).default("name"),
  sortOrder: z.enum(["asc", "desc"]).default("asc"),
  search: z.string().default(""),
});

/** The type of a bucket that stores files. */
const FILES = "STANDARD";

const COLUMNS = "id, name, owner, public, file_size_limit, allowed_mime_types, created_at, updated_at";

/** Registers `/bucket`. Row policies of `storage.buckets` apply: the service alone unless a migration adds more. */
export function bucketRoutes(app: Routes, { db, buckets, callerOf }: StorageContext) {
  const ask = async (request: FastifyRequest, statement: string, values: (string | null)[]): Promise<Answer> =>
    queryAsCaller(db, await callerOf(request), statement, values).finally(() => buckets.changed());
  app.get("/bucket", { schema: { querystring: Listing } }, async (request, reply) => {
    const { limit, offset, sortColumn, sortOrder, search } = request.query;
    const { body } = await ask(
      request,
      `select coalesce(jsonb_agg(to_jsonb(b)), '[]')::text, count(*), null::bigint from (
         select ${COLUMNS} from storage.buckets where strpos(name, $1[1]) > 0
         order by ${sortColumn} ${sortOrder} limit $1[2]::integer offset $1[3]::integer) b`,
      [search, String(limit), String(offset)],
    );
    return reply.type("application/json").send(body);
  });

  app.get("/bucket/:id", { schema: { params: Id } }, async (request, reply) => {
    const { body } = await ask(
      request,
      `select coalesce((
         select to_jsonb(b)::text from (select ${COLUMNS} from storage.buckets where id = $1[1]) b
       ), ''), 1::bigint, null::bigint`,
      [request.params.id],
    );
    if (body === "") throw bucketNotFound();
    return reply.type("application/json").send(body);
  });

  app.post("/bucket", { schema: { body: NewBucket } }, async (request) => {
    const bucket = request.body;
    if ((bucket.type ?? FILES) !== FILES)
      throw notSupported(`This server offers buckets of files only, not "${bucket.type}".`);
    await ask(
      request,
      `with made as (
         insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
         select $1[1], $1[1], $1[2]::boolean, $1[3]::bigint, $1[4]::text[] returning 1
       ) select null::text, count(*), null::bigint from made`,
      [
        bucket.name,
        String(bucket.public ?? false),
        bucket.file_size_limit?.toString() ?? null,
        bucket.allowed_mime_types ? textArray(bucket.allowed_mime_types) : null,
      ],
    );
    return { name: bucket.name };
  });

  app.put("/bucket/:id", { schema: { params: Id, body: Changes } }, async (request) => {
    const { public: isPublic, ...limits } = request.body;
    // A field that was not sent keeps its value; a null limit removes the limit.
    const changes = { ...limits, public: isPublic ?? undefined };
    const { page } = await ask(
      request,
      `with changed as (
         update storage.buckets b set (public, file_size_limit, allowed_mime_types, updated_at) = (
           select public, file_size_limit, allowed_mime_types, now() from jsonb_populate_record(b, $1[2]::jsonb)
         ) where id = $1[1] returning 1
       ) select null::text, count(*), null::bigint from changed`,
      [request.params.id, JSON.stringify(changes)],
    );
    if (page === 0) throw bucketNotFound();
    return { message: "Successfully updated" };
  });

  app.post("/bucket/:id/empty", { schema: { params: Id } }, async (request) => {
    // Emptying needs the bucket's own row, not only rights to some of its objects.
    const { page } = await ask(
      request,
      `with bucket as (select id from storage.buckets where id = $1[1]),
       gone as (delete from storage.objects where bucket_id in (select id from bucket))
       select null::text, count(*), null::bigint from bucket`,
      [request.params.id],
    );
    if (page === 0) throw bucketNotFound();
    return { message: "Successfully emptied" };
  });

  app.delete("/bucket/:id", { schema: { params: Id } }, async (request) => {
    const { page } = await ask(
      request,
      `with gone as (delete from storage.buckets where id = $1[1] returning 1)
       select null::text, count(*), null::bigint from gone`,
      [request.params.id],
    ).catch((error: unknown) => {
      if (!isSqlError(error) || error.code !== "23503") throw error;
      throw new StorageError(409, "InvalidRequest", "The bucket you tried to delete is not empty");
    });
    if (page === 0) throw bucketNotFound();
    return { message: "Successfully deleted" };
  });
}

/** Returns a `text[]` literal of PostgreSQL. */
const textArray = (texts: string[]) => `{${texts.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
