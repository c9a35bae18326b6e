import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openProcessorClocks, openProgressClock } from "./work-clocks.ts";

describe("the clock of a database on another machine", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A clock whose probes take this time in milliseconds, by the false timers: nothing waits. */
  function clockWith(probe: () => number) {
    const probing = () => {
      const events = new EventEmitter();
      setTimeout(() => events.emit("answered"), probe());
      return once(events, "answered");
    };
    const clock = openProgressClock(probing, () => Date.now());
    clock.observe();
    return clock;
  }
  /** The work that the clock counts in `ms`. */
  async function workIn({ now }: ReturnType<typeof clockWith>, ms: number) {
    const before = now();
    await vi.advanceTimersByTimeAsync(ms);
    return now() - before;
  }

  test("runs like time while the database is as fast as usual", async () => {
    const clock = clockWith(() => 2);
    await workIn(clock, 1000);
    expect(await workIn(clock, 1000)).toBeCloseTo(1000, -2);
  });

  test("stands while the database stands", async () => {
    let probe = 2;
    const clock = clockWith(() => probe);
    await workIn(clock, 1000);
    probe = 10_000;
    expect(await workIn(clock, 10_000)).toBeLessThan(100);
    probe = 2;
    await workIn(clock, 200);
    expect(await workIn(clock, 1000)).toBeCloseTo(1000, -2);
  });

  test("is slower while the database is slower", async () => {
    let probe = 10;
    const clock = clockWith(() => probe);
    await workIn(clock, 1000);
    probe = 200;
    await workIn(clock, 1000);
    expect(await workIn(clock, 1000)).toBeLessThan(200);
  });
});

test("a process that is no backend has no processor clock", async () => {
  // It lives until it is killed.
  const child = spawn("cat");
  await once(child, "spawn");
  const clocks = openProcessorClocks();
  expect(await clocks.of(child.pid ?? 0, async () => Date.now() / 1000)).toBeUndefined();
  clocks.close();
  child.kill();
});
