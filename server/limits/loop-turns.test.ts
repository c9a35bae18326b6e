import { expect, test, vi } from "vitest";
import { openLoopTurns } from "./loop-turns.ts";

const key = (address: string, caller = address) => ({ address, caller });
/** Resolves when every request has begun that may begin. */
const settled = async () => {
  for (let iteration = 0; iteration < 10; iteration++) await new Promise(setImmediate);
};

/** Asks for turns, and returns the functions that end those that have begun. */
function requests(turns: ReturnType<typeof openLoopTurns>, count: number, address: string, kind = "read") {
  const begun: ((used: number) => void)[] = [];
  for (let n = 0; n < count; n++) void turns.take(key(address), kind).then((end) => begun.push(end));
  return begun;
}

test("a few requests of one address begin, and another address begins beside them", async () => {
  const turns = openLoopTurns();
  const hostile = requests(turns, 300, "hostile");
  await settled();
  expect(hostile.length).toBeGreaterThan(0);
  expect(hostile.length).toBeLessThan(16);
  const calm = requests(turns, 1, "calm");
  await settled();
  expect(calm).toHaveLength(1);
});

test("all requests of one address have their turn", async () => {
  const turns = openLoopTurns();
  const begun = requests(turns, 300, "busy");
  for (let ended = 0; ended < 300; ended++) {
    await expect.poll(() => begun.length).toBeGreaterThan(ended);
    begun[ended]?.(1);
  }
  expect(begun).toHaveLength(300);
});

test("fewer requests begin at once if their kind takes much of the main thread", async () => {
  const turns = openLoopTurns();
  const light = requests(turns, 20, "hostile", "read");
  await settled();
  const lightAtOnce = light.length;
  const other = openLoopTurns();
  (await other.take(key("hostile"), "screen"))(100);
  const heavy = requests(other, 20, "hostile", "screen");
  await settled();
  expect(heavy.length).toBeLessThan(lightAtOnce / 2);
});

test("a request that waits for something else gives its place to the next", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const turns = openLoopTurns();
  const uploads = requests(turns, 20, "family");
  await settled();
  const atFirst = uploads.length;
  for (let turn = 0; turn < 10; turn++) {
    vi.advanceTimersByTime(1000);
    await settled();
  }
  vi.useRealTimers();
  expect(atFirst).toBeLessThan(20);
  expect(uploads).toHaveLength(20);
});
