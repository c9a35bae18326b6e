import type { WallContents, WallSettings } from "../../data/wall.queries.ts";

/** A picture or a comment in the sequence of a wall. */
export interface WallItem {
  id: string;
  /** When it was added or approved, in milliseconds. */
  arrivedAt: number;
  /** For how many ticks it is shown; a video more than one. */
  ticks: number;
}

/** The settings from which the position in the sequence follows. */
export type WallClock = Pick<WallSettings, "anchor_tick" | "anchored_at" | "pace" | "is_paused">;

/** Ticks after which new items join the rotation. */
const ROUND = 30;
/** The longest time that a video is shown, in ticks. */
const MOST_TICKS = 6;

/** The items of a wall's contents. */
export const itemsOf = ({ pictures, comments }: WallContents, pace: number): WallItem[] => [
  ...pictures.map(({ id, type, duration, playback, updated_at }) => ({
    id,
    arrivedAt: Date.parse(updated_at),
    ticks:
      type === "video" && (playback === "ready" || playback === "unneeded")
        ? Math.min(MOST_TICKS, Math.max(1, Math.ceil((duration ?? 0) / pace)))
        : 1,
  })),
  ...comments.map(({ id, created_at }) => ({ id, arrivedAt: Date.parse(created_at), ticks: 1 })),
];

/** The position in the sequence at a time of the server. */
export const tickAt = ({ anchor_tick, anchored_at, pace, is_paused }: WallClock, now: number): number =>
  is_paused ? anchor_tick : anchor_tick + Math.max(0, Math.floor((now - Date.parse(anchored_at)) / (pace * 1000)));

/** The time at which a position begins. */
export const timeOf = ({ anchor_tick, anchored_at, pace }: WallClock, tick: number): number =>
  Date.parse(anchored_at) + (tick - anchor_tick) * pace * 1000;

/**
 * The id of the item that is shown at each tick of a round: items that arrived during the round once, as soon as
 * possible, otherwise all others in turn, in an order that mixes early and late ones. Every screen and remote control
 * computes the same from the same rows, so none has to report what it shows.
 */
function sequenceOf(items: readonly WallItem[], clock: WallClock, round: number): (string | undefined)[] {
  const start = round * ROUND;
  const startTime = timeOf(clock, start);
  const base = items.filter(({ arrivedAt }) => arrivedAt < startTime).sort((a, b) => order(a.id, b.id));
  const fresh = items
    .filter(({ arrivedAt }) => arrivedAt >= startTime)
    .sort((a, b) => a.arrivedAt - b.arrivedAt || (a.id < b.id ? -1 : 1));
  const sequence: (string | undefined)[] = [];
  let next = start;
  let shownFresh = 0;
  while (sequence.length < ROUND) {
    const begun = timeOf(clock, start + sequence.length);
    const arrived = fresh[shownFresh];
    let item: WallItem | undefined;
    if (arrived && (arrived.arrivedAt <= begun || base.length === 0)) {
      item = arrived;
      shownFresh += 1;
    } else {
      const all = base.length > 0 ? base : fresh;
      item = all[modulo(next, all.length)];
      next += 1;
    }
    for (let tick = 0; tick < (item?.ticks ?? 1) && sequence.length < ROUND; tick++) sequence.push(item?.id);
  }
  return sequence;
}

/** The ids of the items that are shown at a tick and the ticks before and after it. */
export function shownAround(items: readonly WallItem[], clock: WallClock, tick: number, before: number, after: number) {
  const sequences = new Map<number, (string | undefined)[]>();
  const at = (position: number) => {
    const round = Math.floor(position / ROUND);
    const sequence = sequences.get(round) ?? sequenceOf(items, clock, round);
    sequences.set(round, sequence);
    return sequence[position - round * ROUND];
  };
  const ids = [];
  for (let position = tick - before; position <= tick + after; position++) ids.push(at(position));
  return ids;
}

/** The ids of the latest different items, at most `count`, the present one first. */
export function latestAt(items: readonly WallItem[], clock: WallClock, tick: number, count: number): string[] {
  const latest = new Set<string>();
  const ids = shownAround(items, clock, tick, ROUND * 2, 0);
  for (let i = ids.length - 1; i >= 0 && latest.size < count; i--) {
    const id = ids[i];
    if (id !== undefined) latest.add(id);
  }
  return [...latest];
}

/** Puts the latest items into the places of the mosaic: those that stay keep theirs, so that one tile changes at a time. */
export function placed(before: readonly string[], latest: readonly string[]): string[] {
  const newIds = latest.filter((id) => !before.includes(id)).reverse();
  const places = before.slice(0, latest.length).map((id) => (latest.includes(id) ? id : newIds.pop()));
  const stayed = before.slice(latest.length).filter((id) => latest.includes(id));
  const rest = [...stayed, ...newIds.reverse()];
  while (places.length < latest.length) places.push(rest.shift());
  return places.map((id) => id ?? rest.shift()).filter((id) => id !== undefined);
}

const modulo = (value: number, by: number) => (by === 0 ? 0 : ((value % by) + by) % by);

/** Mixes the ids, in the same way everywhere. */
const order = (a: string, b: string) => hashOf(a) - hashOf(b) || (a < b ? -1 : 1);

function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}
