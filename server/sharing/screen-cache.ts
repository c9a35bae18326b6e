import type { Database } from "../database/database.ts";

/** Screens of memories with more rows than this are not cached, so that the version costs little for any memory. */
const MOST_ROWS = 1000;
/** Signed URLs in a screen last an hour, and the page renews them after forty minutes. */
const LIFETIME_MS = 10 * 60_000;
/** The maximum sum of the cached screens' lengths, in characters. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** A table of rows that a first screen shows or counts, and its column with the memory's id. */
const PARTS = [
  ["memories", "id"],
  ["media", "memory_id"],
  ["media_details", "memory_id"],
  ["stories", "memory_id"],
  ["story_credits", "memory_id"],
  ["memory_entries", "memory_id"],
  ["comments", "memory_id"],
];

/** The version of a row is the transaction that wrote it, so every change of a row, and each new or deleted row, counts. */
const VERSION = `select case when count(*) <= ${MOST_ROWS} then md5(string_agg(version, ' ' order by version)) end as version
  from (
    ${PARTS.map(([table, column]) => `(select concat(tableoid, ' ', ctid, ' ', xmin) as version from ${table} where ${column} = $1 limit ${MOST_ROWS + 1})`).join("\n    union all ")}
    union all select concat('link ', xmin) from share_links where id = $2
    union all select concat('reveal ', xmin, not revealed and coalesce(reveal_at > now(), true)) from reveals where memory_id = $1
    union all select concat('guest ', blocked_at) from guests where id = $3
  ) rows`;

/** A visitor's first screen. What it shows depends on the rows of its memory, link and guest. */
export interface ScreenKey {
  memoryId: string;
  linkId: string;
  /** The link's version, whose rights the screen was read with. */
  version: number;
  guestId: string | null;
  site: string;
  language: string | undefined;
}

export interface ScreenCache {
  /** Resolves to the cached screen of the rows as they are now, otherwise to the result of `read`. */
  get(key: ScreenKey, read: () => Promise<string | undefined>): Promise<string | undefined>;
}

interface Entry {
  /** The version of the rows before the screen was read. */
  rows: string;
  screen: Promise<string | undefined>;
  length: number;
  until: number;
}

/**
 * Caches the first screens of visitors without an account. One statement compares the versions of all rows that a screen
 * shows, so a screen is never older than the request for it. Simultaneous requests for one screen share its reading.
 */
export function openScreenCache(db: Pick<Database, "read">): ScreenCache {
  const entries = new Map<string, Entry>();
  let characters = 0;

  const drop = (id: string) => {
    characters -= entries.get(id)?.length ?? 0;
    entries.delete(id);
  };

  return {
    async get(key, read) {
      const { memoryId, linkId, guestId } = key;
      const { rows } = await db.read<{ version: string | null }>(VERSION, [memoryId, linkId, guestId]);
      const version = rows[0]?.version;
      if (!version) return read();
      const id = JSON.stringify(key);
      const cached = entries.get(id);
      if (cached?.rows === version && cached.until > performance.now()) {
        // The least recently used one is dropped first.
        entries.delete(id);
        entries.set(id, cached);
        return cached.screen;
      }
      drop(id);
      const entry: Entry = { rows: version, screen: read(), length: 0, until: performance.now() + LIFETIME_MS };
      entries.set(id, entry);
      const screen = await entry.screen.catch(() => undefined);
      if (entries.get(id) !== entry) return screen;
      if (screen === undefined) drop(id);
      else {
        entry.length = screen.length;
        characters += screen.length;
        for (const oldest of entries.keys()) {
          if (characters <= MOST_CHARACTERS) break;
          drop(oldest);
        }
      }
      return screen;
    },
  };
}
