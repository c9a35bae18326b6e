import { createHash } from "node:crypto";
import type { OpenedLetter } from "../../shared/letter.ts";
import type { Database } from "../database/database.ts";
import type { Tokens } from "../supabase/tokens.ts";

interface Letter {
  id: string;
  version: number;
  seconds_left: number;
}

const LONGEST_SECONDS = 3600;

/** Opens a letter by the key of its link; undefined if there is none or it has ended. */
export async function openedLetter(
  { db, tokens }: { db: Database; tokens: Tokens },
  key: string,
): Promise<OpenedLetter | undefined> {
  const { rows } = await db.query<Letter>(
    `select l.id, l.version, extract(epoch from l.expires_at - now())::float8 as seconds_left
     from private.letter_keys k join photo_letters l on l.id = k.letter_id where k.hash = $1 and private.is_open_letter(l)`,
    [createHash("sha256").update(key).digest("hex")],
  );
  const [letter] = rows;
  if (!letter) return undefined;
  const { id, version } = letter;
  const expiresIn = Math.max(1, Math.floor(Math.min(LONGEST_SECONDS, letter.seconds_left)));
  // Never the session of who opened it: the letter opens the same for everybody.
  return {
    token: await tokens.sign({ role: "anon", aud: "anon", letter: { id, version } }, expiresIn),
    expiresIn,
    id,
    version,
  };
}
