import { createHmac, timingSafeEqual } from "node:crypto";
import { asCaller, type Caller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import { lastingClaims } from "../supabase/storage/signed-url.ts";
import type { CalendarFacts, CalendarLanguage } from "./calendar-file.ts";

/** Whose calendar of which memory an address opens. */
interface Subscription {
  memory: string;
  /** The caller for the row policies, without a session: a calendar is read for longer than one lasts. */
  caller: Caller;
  /** The link's version without the memories added to its album; null without a link. */
  linkState: number | null;
  language: CalendarLanguage;
}

/** Addresses of calendars, which calendar programs read without signing in. */
export interface CalendarSubscriptions {
  /** Resolves to the token of an address; undefined if the caller cannot see the memory. */
  tokenFor(caller: Caller, memory: string, language: CalendarLanguage): Promise<string | undefined>;
  /** Resolves to the parts that the address's owner may see now; undefined if the token is not ours or the right has ended. */
  read(token: string, site: string): Promise<CalendarFacts | undefined>;
}

/**
 * Tokens never expire and contain the claims by which row policies recognise their caller. Every read asks the policies, so an address
 * ends with the link's version, the membership, the device, the guest or the account.
 */
export function calendarSubscriptions({ db, secret }: { db: Database; secret: Uint8Array }): CalendarSubscriptions {
  const signature = (text: string) => createHmac("sha256", secret).update(`calendar ${text}`).digest();

  function opened(token: string): Subscription | undefined {
    const [text = "", signaturePart = ""] = token.split(".");
    const [passedSignature, right] = [Buffer.from(signaturePart, "base64url"), signature(text)];
    if (passedSignature.length !== right.length || !timingSafeEqual(passedSignature, right)) return undefined;
    return JSON.parse(Buffer.from(text, "base64url").toString()) as Subscription;
  }

  return {
    async tokenFor(caller, memory, language) {
      const { session_id: _session, ...claims } = lastingClaims(caller);
      const share = shareOf(claims as Caller);
      const isVisible = await asCaller(
        db,
        caller,
        async (tx) => (await tx.query("select from memories where id = $1", [memory])).rows.length > 0,
      );
      if (!isVisible) return undefined;
      const linkState = share ? await stateOf(db, share) : null;
      const subscription: Subscription = { memory, caller: claims as Caller, linkState, language };
      const text = Buffer.from(JSON.stringify(subscription)).toString("base64url");
      return `${text}.${signature(text).toString("base64url")}`;
    },
    async read(token, site) {
      const subscription = opened(token);
      if (!subscription) return undefined;
      const { memory, language } = subscription;
      const caller = await present(db, subscription);
      if (!caller) return undefined;
      const { rows } = await asCaller(db, caller, (tx) =>
        tx.query<{ facts: Pick<CalendarFacts, "name" | "parts"> }>(READ, [memory]),
      );
      const [row] = rows;
      return row && { ...row.facts, language, page: await pageOf(db, caller, memory, site) };
    },
  };
}

const READ = `
  select jsonb_build_object('name', m.person_name, 'parts', (
    select coalesce(jsonb_agg(to_jsonb(e) || jsonb_build_object('begins_at', e.begins_at, 'finishes_at', e.finishes_at,
      'stream_url', (select s.url from entry_streams s where s.entry_id = e.id)) order by e.begins_at, e.id), '[]')
    from memory_entries e where e.memory_id = m.id and e.part is not null)) as facts
  from memories m where m.id = $1`;

interface ShareClaims {
  link: string;
  version: number;
}

const shareOf = (caller: Caller) => caller.share as ShareClaims | undefined;

async function stateOf(db: Database, { link, version }: ShareClaims): Promise<number | null> {
  const { rows } = await db.query<{ state: number }>(
    "select version - grown as state from share_links where id = $1 and version = $2",
    [link, version],
  );
  return rows[0]?.state ?? null;
}

/**
 * The caller as they are now: with the link's present version if only memories were added to its album since. Undefined for an account
 * that was suspended or deleted.
 */
async function present(db: Database, { caller, linkState }: Subscription): Promise<Caller | undefined> {
  if (caller.sub !== undefined) {
    const { rows } = await db.query("select from auth.users where id = $1 and coalesce(banned_until < now(), true)", [
      caller.sub,
    ]);
    if (rows.length === 0) return undefined;
  }
  const share = shareOf(caller);
  if (!share || linkState === null) return caller;
  const { rows } = await db.query<{ version: number }>(
    "select version from share_links where id = $1 and version - grown = $2",
    [share.link, linkState],
  );
  return rows[0] ? { ...caller, share: { ...share, version: rows[0].version } } : caller;
}

/** The page's address for the caller. That of an invitation's link needs a part that only its email has. */
async function pageOf(db: Database, caller: Caller, memory: string, site: string): Promise<string | undefined> {
  const share = shareOf(caller);
  if (!share) return `${site}/memory/${memory}`;
  const { rows } = await db.query<{ share_id: string; of_album: boolean }>(
    "select share_id, album_id is not null as of_album from share_links where id = $1 and invitation_id is null",
    [share.link],
  );
  const [link] = rows;
  return link && `${site}/shared/${link.share_id}${link.of_album ? `/${memory}` : ""}`;
}
