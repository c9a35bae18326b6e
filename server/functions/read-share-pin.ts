import { RequestError } from "../../shared/request-error.ts";
import { type ReadableSecret, ReadSharePin } from "../../shared/share.ts";
import { asCaller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import { type Keyring, unseal } from "../supabase/sealed.ts";
import { endpoint } from "./endpoint.ts";
import { readBody } from "./request-body.ts";

/**
 * POST /functions/v1/read-share-pin: a link's PIN or passphrase for the managers of the link, who alone may read its
 * row.
 */
export const readSharePin = endpoint({ caller: "person" }, async ({ db, secrets, caller, request }) => {
  // Not even the service.
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
  const secret = link.has_secret ? await readSecret(db, linkId, secrets.readablePins) : null;
  return { secret } satisfies ReadableSecret;
});

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
