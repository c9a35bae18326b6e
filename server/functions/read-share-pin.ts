import { RequestError } from "../../shared/request-error.ts";
import { type ReadableSecret, ReadSharePin } from "../../shared/share.ts";
import { asCaller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import type { Identify } from "../supabase/callers.ts";
import { type Keyring, unseal } from "../supabase/sealed.ts";
import type { ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";

interface Deps {
  db: Database;
  identify: Identify;
  sealing: Keyring;
}

/**
 * POST /functions/v1/read-share-pin: a link's PIN or passphrase for the managers of the link, who alone may read its
 * row.
 */
export const readSharePin =
  ({ db, identify, sealing }: Deps): ServerFunction =>
  async (request) => {
    const caller = await identify({ authorization: request.headers.get("authorization") ?? undefined });
    if (caller.role !== "authenticated") throw new RequestError("not_signed_in");
    const { linkId } = await readBody(request, ReadSharePin);
    const { rows } = await asCaller(db, caller, (tx) =>
      tx.query<{ has_secret: boolean }>(
        `select p.link_id is not null as has_secret from share_links l left join share_pins p on p.link_id = l.id
         where l.id = $1`,
        [linkId],
      ),
    );
    const [link] = rows;
    if (!link) throw new RequestError("not_found", { message: "Link not found." });
    const secret = link.has_secret ? await readSecret(db, linkId, sealing) : null;
    return Response.json({ secret } satisfies ReadableSecret, { headers: { "cache-control": "no-store" } });
  };

/** Null if the secret is not stored encrypted, or was encrypted with another key; then it has to be set again. */
async function readSecret(db: Database, linkId: string, sealing: Keyring): Promise<string | null> {
  const { rows } = await db.query<{ hash: string; sealed: string | null }>(
    "select hash, sealed from share_pins where link_id = $1",
    [linkId],
  );
  const [pin] = rows;
  if (!pin?.sealed) return null;
  try {
    return unseal(pin.sealed, sealing, pin.hash);
  } catch {
    return null;
  }
}
