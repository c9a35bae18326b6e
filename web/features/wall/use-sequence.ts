import { useEffect, useMemo, useState } from "react";
import type { WallContents, WallSettings } from "../../data/wall.queries.ts";
import { itemsOf, latestAt, shownAround, tickAt, timeOf } from "./wall-schedule.ts";

/** The number of tiles of the mosaic. */
export const TILES = 8;
/** How many pictures are requested before they are shown. */
const AHEAD = 3;

/** What this screen's own keys have changed. */
export interface ScreenControl {
  /** Ticks by which it is ahead of the wall. */
  offset: number;
  /** The tick at which it stands still; undefined while it goes on. */
  heldAt: number | undefined;
}

interface Sequence {
  tick: number;
  /** The items on screen: one, or those of the mosaic, the newest first. */
  currentIds: string[];
  /** The items that follow. */
  next: string[];
}

/**
 * The items that a wall shows now. What is shown stays until its time is over, although other items come and go, unless
 * it is withdrawn itself. `clock` is the server's time at the zero of this page's monotonic clock.
 */
export function useSequence(
  contents: WallContents,
  settings: WallSettings,
  clock: number,
  control?: ScreenControl,
): Sequence {
  const { anchor_tick, anchored_at, pace, is_paused, layout } = settings;
  const wallClock = useMemo(
    () => ({ anchor_tick, anchored_at, pace, is_paused }),
    [anchor_tick, anchored_at, pace, is_paused],
  );
  const items = useMemo(() => itemsOf(contents, pace), [contents, pace]);
  const now = () => clock + performance.now();
  const [wallTick, setWallTick] = useState(() => tickAt(wallClock, now()));
  const tick = control?.heldAt ?? wallTick + (control?.offset ?? 0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every tick sets the timer for the next one
  useEffect(() => {
    const present = tickAt(wallClock, now());
    if (present !== wallTick) return setWallTick(present);
    if (wallClock.is_paused) return;
    const remainingMs = timeOf(wallClock, present + 1) - now();
    const timer = setTimeout(() => setWallTick(tickAt(wallClock, now())), Math.max(20, remainingMs + 5));
    return () => clearTimeout(timer);
  }, [wallClock, wallTick, clock]);

  const count = layout === "mosaic" ? TILES : 1;
  const computed = useMemo(() => {
    const present = (from: (string | undefined)[]) => from.filter((id) => id !== undefined);
    return {
      tick,
      currentIds: latestAt(items, wallClock, tick, count),
      next: present(shownAround(items, wallClock, tick + 1, 0, AHEAD - 1)),
    };
  }, [items, wallClock, tick, count]);

  const [stable, setStable] = useState({ ...computed, count, wallClock });
  const ids = new Set(items.map(({ id }) => id));
  const isOver =
    stable.tick !== tick ||
    stable.count !== count ||
    stable.wallClock !== wallClock ||
    stable.currentIds.length < Math.min(count, items.length) ||
    stable.currentIds.some((id) => !ids.has(id));
  if (!isOver) return { ...computed, currentIds: stable.currentIds };
  // Derived state: set while rendering, so that no frame shows what was withdrawn.
  const current = { ...computed, count, wallClock };
  if (
    stable.tick !== tick ||
    stable.currentIds.join() !== computed.currentIds.join() ||
    stable.count !== count ||
    stable.wallClock !== wallClock
  )
    setStable(current);
  return computed;
}
