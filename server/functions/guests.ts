import { createHash, createHmac } from "node:crypto";
import { codeOf, RequestError } from "../../shared/request-error.ts";
import type { Guest } from "../../shared/share.ts";
import { type Database, isSqlError, queryWhileMoving } from "../database/database.ts";

/** How somebody signs a link: their name, and all that their emails need to know. */
export interface Signature {
  key: string;
  name: string;
  email: string | null;
  language: string;
  timeZone: string;
  /** The address of this site, where their emails lead back to. */
  site: string;
}

/** Who signed links without an account. Keys are kept only as hashes that are keyed with the server's secret. */
export interface Guests {
  /** The guest of a link who has this key; null for nobody, and for one who is blocked. */
  find(linkId: string, key: string): Promise<Guest | null>;
  /** Whether a share gate knows one of these people or guests, or the holder of this key, as blocked; all may be none. */
  isTurnedAway(linkId: string | undefined, who: { people: string[]; guests: string[]; key?: string }): Promise<boolean>;
  /** Signs a link in the version that was opened; refuses where it is closed since, too many signed it, or they are blocked. */
  sign(link: { id: string; version: number }, signature: Signature): Promise<Guest>;
}

export function openGuests(db: Database, secret: Uint8Array): Guests {
  const ofBrowser = (key: string) => createHmac("sha256", secret).update(key).digest("base64url");
  // Emails are written by the database, which has no secret: their keys are long enough to need none.
  const ofEmail = (key: string) => createHash("sha256").update(key).digest("hex");
  return {
    async find(linkId, key) {
      const { rows } = await queryWhileMoving<Guest>(db, "select id, name, email from private.known_guest($1, $2)", [
        linkId,
        [ofBrowser(key), ofEmail(key)],
      ]);
      return rows[0] ?? null;
    },
    async isTurnedAway(linkId, { people, guests, key }) {
      const { rows } = await db.query<{ away: boolean }>(
        "select private.is_blocked_from_link($1, $2, $3, $4) as away",
        [linkId ?? null, people, guests, key === undefined ? [] : [ofBrowser(key), ofEmail(key)]],
      );
      return rows[0]?.away === true;
    },

    async sign(link, { key, name, email, language, timeZone, site }) {
      const { rows } = await db
        .query<Guest>("select id, name, email from private.register_guest($1, $2, $3, $4, $5, $6, $7, $8)", [
          link.id,
          link.version,
          [ofBrowser(key), ofEmail(key)],
          name,
          email,
          language,
          timeZone,
          site,
        ])
        .catch(asRefusal);
      // Nobody learns that they are blocked: to them it is a link that has to be opened, and its share gate knows them.
      if (!rows[0]) throw new RequestError("not_opened");
      return rows[0];
    },
  };
}

/** What the database refuses in words for people, with the status in its code. */
function asRefusal(error: unknown): never {
  if (isSqlError(error) && /^PT4\d\d$/.test(error.code)) {
    throw new RequestError(codeOf(error.hint), { message: error.message, status: Number(error.code.slice(2)) });
  }
  throw error;
}
