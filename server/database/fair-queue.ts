import { RetryLaterError } from "../../shared/request-error.ts";

/** The address and caller of a unit of work. The caller's key is unique across addresses. */
export interface QueueKey {
  address: string;
  caller: string;
}

export interface FairQueueSettings {
  /** How many units of work may run at once. */
  width: number;
  /** Milliseconds after which a waiting request is refused; infinite for never. */
  maxWaitMs: number;
  /** The maximum number of waiting requests of one address; further ones are refused at once. */
  maxWaitingPerAddress: number;
}

export interface FairQueue {
  /**
   * Resolves to a function that releases the slot. Rejects with a `RetryLaterError` (503) after the maximum wait, or while too
   * many requests of the address wait. Its seconds are those until there is room for another one at the latest. Work
   * without a key is the server's own: it is queued like an address, without a time limit. Heavy work takes several slots.
   */
  acquire(key: QueueKey | undefined, slots?: number): Promise<() => void>;
  /** The number of slots in use, and of waiting requests. */
  load(): { working: number; waiting: number };
}

interface Waiter {
  slots: number;
  /** When it gives up, in milliseconds of `performance.now()`. */
  until: number;
  start(): void;
}

/** The waiting requests of one address, by caller. The order of the map's keys is the order of turns. */
type Lines = Map<string, Set<Waiter>>;

const SERVER: QueueKey = { address: "server", caller: "server" };

/**
 * Shares a fixed number of slots among addresses and callers. A caller may start work while it uses fewer slots than
 * are free. An address may start work while it uses fewer than twice the free slots. So one busy caller leaves half of
 * the slots to others, and several leave some ("dynamic thresholds", Choudhury and Hahne 1998). Waiting requests are
 * served round robin, by address and then by caller.
 */
export function fairQueue({ width, maxWaitMs, maxWaitingPerAddress }: FairQueueSettings): FairQueue {
  const waiting = new Map<string, Lines>();
  const addresses = counter();
  const callers = counter();
  let free = width;

  /** Work of more slots than are free may start if its owner uses none; otherwise light work would pass it for ever. */
  const fits = (used: number, slots: number, limit: number) => used + (used === 0 ? 1 : slots) <= limit;
  const mayStart = ({ address, caller }: QueueKey, slots: number) =>
    fits(callers.get(caller), slots, free) && fits(addresses.get(address), slots, Math.min(2 * free, width));

  const start = ({ address, caller }: QueueKey, slots: number): (() => void) => {
    free -= slots;
    addresses.add(address, slots);
    callers.add(caller, slots);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      free += slots;
      addresses.add(address, -slots);
      callers.add(caller, -slots);
      startWaiting();
    };
  };

  /** Removes and returns the next waiting request. */
  const takeNext = (): Waiter | undefined => {
    for (const [address, lines] of waiting) {
      for (const [caller, line] of lines) {
        const [waiter] = line;
        if (!waiter || !mayStart({ address, caller }, waiter.slots)) continue;
        line.delete(waiter);
        // Moves the address and the caller to the end of their turns.
        lines.delete(caller);
        waiting.delete(address);
        if (line.size > 0) lines.set(caller, line);
        if (lines.size > 0) waiting.set(address, lines);
        return waiter;
      }
    }
  };

  const startWaiting = () => {
    while (free > 0) {
      const next = takeNext();
      if (!next) return;
      next.start();
    }
  };

  const leave = ({ address, caller }: QueueKey, waiter: Waiter) => {
    const lines = waiting.get(address);
    const line = lines?.get(caller);
    line?.delete(waiter);
    if (line?.size === 0) lines?.delete(caller);
    if (lines?.size === 0) waiting.delete(address);
  };

  const wait = (key: QueueKey, patient: boolean, slots: number) =>
    new Promise<() => void>((resolve, reject) => {
      const lines = waiting.get(key.address) ?? new Map<string, Set<Waiter>>();
      const length = [...lines.values()].reduce((sum, { size }) => sum + size, 0);
      if (!patient && length >= maxWaitingPerAddress) return reject(busy(secondsUntilRoom(lines)));
      const line = lines.get(key.caller) ?? new Set<Waiter>();
      const waiter: Waiter = {
        slots,
        until: performance.now() + (patient ? Number.POSITIVE_INFINITY : maxWaitMs),
        start() {
          clearTimeout(timer);
          resolve(start(key, slots));
        },
      };
      const timer =
        patient || maxWaitMs === Number.POSITIVE_INFINITY
          ? undefined
          : setTimeout(() => {
              leave(key, waiter);
              // Its own place is free at once.
              reject(busy(0));
            }, maxWaitMs);
      waiting.set(key.address, lines.set(key.caller, line.add(waiter)));
    });

  return {
    async acquire(key, slots = 1) {
      const owner = key ?? SERVER;
      // No waiting request could start now, because each release starts all that may start.
      return mayStart(owner, slots) ? start(owner, slots) : wait(owner, key === undefined, slots);
    },
    load() {
      let count = 0;
      for (const lines of waiting.values()) for (const { size } of lines.values()) count += size;
      return { working: width - free, waiting: count };
    },
  };
}

const busy = (seconds: number) => new RetryLaterError("server_busy", seconds);

/** Seconds until the first request of full lines gives up. Without a maximum wait, requests take turns all the time. */
function secondsUntilRoom(lines: Lines): number {
  let first = Number.POSITIVE_INFINITY;
  for (const line of lines.values()) for (const { until } of line) first = Math.min(first, until);
  return first === Number.POSITIVE_INFINITY ? 0 : (first - performance.now()) / 1000;
}

/** Counts by key; keys with a count of zero are removed. */
function counter() {
  const counts = new Map<string, number>();
  return {
    get: (key: string) => counts.get(key) ?? 0,
    add(key: string, change: number) {
      const count = (counts.get(key) ?? 0) + change;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
}
