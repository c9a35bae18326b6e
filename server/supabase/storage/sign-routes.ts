import { setImmediate as nextIteration } from "node:timers/promises";
import { z } from "zod";
import { queryAsCaller } from "../../database/as-caller.ts";
import { isWidth, WIDTHS } from "../../files/pictures/copies.ts";
import type { Routes } from "../route-schemas.ts";
import type { StorageContext } from "./context.ts";
import { findObject } from "./objects.ts";
import { InBucket, Named, objectName } from "./requests.ts";
import { signUrl } from "./signed-url.ts";
import { badRequest } from "./storage-error.ts";

/** The lifetime of a URL in seconds, at most a year. */
const Lifetime = z
  .number()
  .int()
  .min(1)
  .max(365 * 24 * 60 * 60);
const One = z.object({ expiresIn: Lifetime, transform: z.object({ width: z.number() }).optional() });
const Many = z.object({ expiresIn: Lifetime, paths: z.array(z.string()).min(1).max(5000) });

/** URLs signed in one piece of work of the main thread. */
const AT_ONCE = 25;

/** The error for a name that the client may not see, whether or not it exists. */
const NOT_SIGNED = "Either the object does not exist or you do not have access to it";

/** Registers `/object/sign`: URLs that open an object with their creator's rights, without a header. */
export function signRoutes(app: Routes, { db, urlSecret, callerOf }: StorageContext) {
  app.post("/object/sign/:bucket/*", { schema: { params: Named, body: One } }, async (request) => {
    const { expiresIn, transform } = request.body;
    if (transform && !isWidth(transform.width)) throw badRequest(`width must be one of ${WIDTHS.join(", ")}`);
    const caller = await callerOf(request);
    const object = await findObject(db, caller, request.params.bucket, objectName(request.params["*"]));
    const url = `${object.bucket_id}/${object.name}`;
    const token = await signUrl(urlSecret, { url, caller }, expiresIn);
    return {
      signedURL: transform
        ? `/render/image/sign/${url}?token=${token}&width=${transform.width}`
        : `/object/sign/${url}?token=${token}`,
    };
  });

  app.post("/object/sign/:bucket", { schema: { params: InBucket, body: Many } }, async (request) => {
    const { expiresIn, paths } = request.body;
    const caller = await callerOf(request);
    const { bucket } = request.params;
    const { body } = await queryAsCaller(
      db,
      caller,
      `select coalesce(jsonb_agg(name), '[]')::text, count(*), null::bigint from storage.objects
       where bucket_id = $1[1] and name = any (array(select jsonb_array_elements_text($1[2]::jsonb)))`,
      [bucket, JSON.stringify(paths)],
      { readOnly: true, planOnce: true },
    );
    const visibleNames = new Set<string>(JSON.parse(body));
    const sign = async (path: string) => {
      if (!visibleNames.has(path)) return { error: NOT_SIGNED, path, signedURL: null };
      const url = `${bucket}/${path}`;
      const token = await signUrl(urlSecret, { url, caller }, expiresIn);
      return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` };
    };
    const signed: Awaited<ReturnType<typeof sign>>[] = [];
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      signed.push(...(await Promise.all(paths.slice(at, at + AT_ONCE).map(sign))));
      // Requests that have arrived meanwhile have their turn.
      await nextIteration();
    }
    return signed;
  });
}
