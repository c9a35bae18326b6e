import { createHash, createHmac } from "node:crypto";
import { RequestError } from "../../shared/request-error.ts";
import type { Guest } from "../../shared/share.ts";
import { type Database, isSqlError, queryWhileMoving } from "../database/database.ts";
import type { Keyring } from "../supabase/sealed.ts";

/** A guest's signature: the name, and the fields that emails need. */
export interface Signature {
  key: string;
  name: string;
  email: string | null;
  language: string;
  timeZone: string;
  /** The site's URL for links in emails. */
  site: string;
}

/** Guests of links. Keys are stored only as hashes that are keyed with the server's secret. */
export interface Guests {
  /** The guest of a link with this key; null if there is none or they are blocked. */
  find(linkId: string, key: string): Promise<Guest | null>;
  /** Whether any of these accounts, guests or the holder of this key is blocked from the link. */
  isBlocked(linkId: string | undefined, who: { people: string[]; guests: string[]; key?: string }): Promise<boolean>;
  /**
   * Registers a guest at a link in the opened version. Refuses if the link was closed since or has too many guests, or
   * if the guest is blocked.
   */
  sign(link: { id: string; version: number }, signature: Signature): Promise<Guest>;
}

export function openGuests(db: Database, secrets: Keyring): Guests {
  const ofBrowser = (key: string) =>
    secrets.map((secret) => createHmac("sha256", secret).update(key).digest("base64url"));
  // The database generates the keys of emails and has no secret. They are long enough for a plain hash.
  const ofEmail = (key: string) => createHash("sha256").update(key).digest("hex");
  return {
    async find(linkId, key) {
      const { rows } = await queryWhileMoving<Guest>(db, "select id, name, email from private.known_guest($1, $2)", [
        linkId,
        [...ofBrowser(key), ofEmail(key)],
      ]);
      return rows[0] ?? null;
    },
    async isBlocked(linkId, { people, guests, key }) {
      const { rows } = await db.query<{ blocked: boolean }>(
        "select private.is_blocked_from_link($1, $2, $3, $4) as blocked",
        [linkId ?? null, people, guests, key === undefined ? [] : [...ofBrowser(key), ofEmail(key)]],
      );
      return rows[0]?.blocked === true;
    },

    async sign(link, { key, name, email, language, timeZone, site }) {
      const { rows } = await db
        .query<Guest>("select id, name, email from private.register_guest($1, $2, $3, $4, $5, $6, $7, $8)", [
          link.id,
          link.version,
          [...ofBrowser(key), ofEmail(key)],
          name,
          email,
          language,
          timeZone,
          site,
        ])
        .catch(asRefusal);
      // A block is not disclosed: the response tells the person to open the link again.
      if (!rows[0]) throw new RequestError("not_opened");
      return rows[0];
    },
  };
}

/** Throws a {@link RequestError} for a key that is in use, and any other error unchanged. */
function asRefusal(error: unknown): never {
  // A browser makes a key for each link.
  if (isSqlError(error) && error.code === "23505") {
    throw new RequestError("malformed", { message: "This key belongs to a guest of another link.", status: 409 });
  }
  throw error;
}
