import { useCallback, useEffect, useRef, useState } from "react";
import {
  readWallContents,
  readWallHead,
  readWallSettings,
  type WallContents,
  type WallHead,
  type WallSettings,
  wallBindings,
  withdrawnIds,
  without,
} from "../../data/wall.queries.ts";
import { useLatest } from "../../lib/browser/use-latest.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { type RowChange, useRowChanges } from "../../lib/request/use-row-changes.ts";

/** Everything is read again at least this often, so that a missed change never stays on the screen. */
const READ_EVERY_MS = 60_000;
/** The pause between two readings while many photos arrive. */
const TOGETHER_MS = 1500;

/** What a screen shows. */
export interface WallData {
  settings: WallSettings;
  contents: WallContents;
  head: WallHead;
  /** The difference between the server's clock and the monotonic clock of this page, in milliseconds. */
  clock: number;
}

interface WallSource {
  client: SupabaseClient;
  id: string;
  memoryId: string;
  version: number;
  /** Called when this wall's access has ended or changed. */
  onEnded: () => void;
}

/**
 * Reads what a wall shows and follows its changes. Withdrawn items are removed when the change arrives, before anything
 * is read again.
 */
export function useWallData({ client, id, memoryId, version, onEnded }: WallSource) {
  const [data, setData] = useState<WallData>();
  const [lostAt, setLostAt] = useState<number>();
  const ended = useLatest(onEnded);
  const next = useRef<{ due: number; timer: ReturnType<typeof setTimeout> }>(undefined);
  const stopped = useRef(false);
  /** Items withdrawn while a reading was under way, whose answer may still contain them. */
  const withdrawn = useRef(new Set<string>());
  const reading = useRef<Promise<void>>(undefined);

  const read = useCallback(async () => {
    const settings = await readWallSettings(client, id);
    const head = settings.version === version ? await readWallHead(client) : null;
    if (!head) return ended.current();
    const contents = await readWallContents(client, settings);
    setData((before) => ({
      settings,
      head,
      contents: without(contents, withdrawn.current),
      clock: before?.clock ?? Date.parse(head.now) - performance.now(),
    }));
  }, [client, id, version]);

  /** Reads everything again within this time; a reading that is under way is not enough. */
  const readWithin = useCallback(
    (ms: number) => {
      if (stopped.current) return;
      const due = performance.now() + ms;
      if (next.current && next.current.due <= due) return;
      clearTimeout(next.current?.timer);
      const timer = setTimeout(() => {
        next.current = undefined;
        const former = reading.current ?? Promise.resolve();
        reading.current = former.then(() => {
          withdrawn.current.clear();
          return read().catch(() => {});
        });
        void reading.current.then(() => readWithin(READ_EVERY_MS));
      }, ms);
      next.current = { due, timer };
    },
    [read],
  );
  useEffect(() => {
    stopped.current = false;
    readWithin(0);
    return () => {
      stopped.current = true;
      clearTimeout(next.current?.timer);
      next.current = undefined;
    };
  }, [readWithin]);

  const onChange = (changes: RowChange[] | undefined) => {
    if (!changes) return readWithin(0);
    const wall = changes.findLast(({ table, row }) => table === "walls" && row.id === id)?.row as
      | WallSettings
      | undefined;
    if (wall && wall.version !== version) return ended.current();
    const ids = withdrawnIds(changes);
    for (const one of ids) withdrawn.current.add(one);
    setData((before) => {
      if (!before) return before;
      const settings = { ...before.settings, ...wall };
      return { ...before, settings, contents: allowed(without(before.contents, ids), settings) };
    });
    readWithin(wall ? 0 : TOGETHER_MS);
  };
  useRowChanges(client, wallBindings(id, memoryId), onChange, (connected) =>
    setLostAt(connected ? undefined : performance.now()),
  );

  const endsAt = data?.head.ends_at;
  const clock = data?.clock;
  useEffect(() => {
    if (!endsAt || clock === undefined) return;
    const remainingMs = Date.parse(endsAt) - clock - performance.now();
    const end = setTimeout(() => ended.current(), Math.min(remainingMs, 2 ** 31 - 1));
    return () => clearTimeout(end);
  }, [endsAt, clock]);

  return { data, lostAt };
}

/** The contents without what the wall may not show any more. */
const allowed = ({ pictures, comments, candles }: WallContents, settings: WallSettings): WallContents => ({
  pictures: settings.shows_pictures ? pictures : [],
  comments: settings.shows_words ? comments : [],
  candles: settings.shows_candles ? candles : [],
});
