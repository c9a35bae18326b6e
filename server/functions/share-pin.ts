import { RequestError } from "../../shared/request-error.ts";
import { SharePin, type SharePinState } from "../../shared/share.ts";
import { asCaller } from "../database/as-caller.ts";
import { seal } from "../supabase/sealed.ts";
import { endpoint } from "./endpoint.ts";

/**
 * POST /functions/v1/share-pin: sets, changes or removes a link's PIN or passphrase, for its managers. Every change,
 * even to the same secret, invalidates the link's tokens.
 */
export const sharePin = endpoint(
  { caller: "person", body: SharePin },
  async ({ db, pins, secrets, caller, body: { linkId, pin, passphrase } }) => {
    const secret = passphrase ?? pin ?? null;
    // Hashed before the transaction, which holds a connection, because hashing is slow on purpose.
    const hash = secret === null ? null : await pins.make(secret);
    // Encrypted for managers, who may read it again. Bound to the hash, so that an older encrypted PIN cannot be shown as the current one after a change of the hash.
    const sealed = secret === null || hash === null ? null : seal(secret, secrets.readablePins, hash);

    const state = await asCaller(db, caller, async (tx) => {
      const links = await tx.query("select id from share_links where id = $1", [linkId]);
      if (links.rows.length === 0) throw new RequestError("not_found", { message: "Link not found." });
      if (hash === null) await tx.query("delete from share_pins where link_id = $1", [linkId]);
      else {
        // Not `excluded.hash`: nobody has the right to read that column.
        await tx.query(
          `insert into share_pins (link_id, hash, kind, sealed) values ($1, $2, $3, $4)
           on conflict (link_id) do update set hash = $2, kind = $3, sealed = $4`,
          [linkId, hash, passphrase === undefined ? "pin" : "passphrase", sealed],
        );
      }
      const { rows } = await tx.query<SharePinState>(
        `select has_pin as "hasPin", asks, version from share_links where id = $1`,
        [linkId],
      );
      return rows[0];
    });
    if (!state) throw new RequestError("not_found", { message: "Link not found." });
    return state;
  },
);
