import { expect, test } from "vitest";
import { weightedQueue } from "./weighted-queue.ts";

/** Work that ends when it is told to, and the order in which it was started. */
function steps() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  /** What has begun once all promises have settled. */
  const begun = async () => {
    await new Promise(setImmediate);
    return started;
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    return begun();
  };
  return { started, work, end, begun };
}

test("the weights of what runs never add up to more than the capacity, and all of it is done", async () => {
  const queue = weightedQueue({ capacity: 10, width: 4 });
  let used = 0;
  let most = 0;
  const done = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const weight = (index * 7) % 11;
      return queue.run(weight, async () => {
        used += weight;
        most = Math.max(most, used);
        await new Promise(setImmediate);
        used -= weight;
        return index;
      });
    }),
  );
  expect(most).toBeLessThanOrEqual(10);
  expect(done).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test("a small picture passes a big one that waits", async () => {
  const queue = weightedQueue({ capacity: 10, width: 3 });
  const { work, end, begun } = steps();
  void queue.run(6, work("medium"));
  void queue.run(9, work("big"));
  void queue.run(2, work("small"));
  expect(await begun()).toEqual(["medium", "small"]);
  expect(await end("medium")).toEqual(["medium", "small"]);
  expect(await end("small")).toEqual(["medium", "small", "big"]);
});

test("a big picture is not starved by small ones that keep coming", async () => {
  const queue = weightedQueue({ capacity: 10, width: 3 });
  const { started, work, end, begun } = steps();
  void queue.run(5, work("0"));
  void queue.run(10, work("big"));
  for (let index = 1; index <= 30; index++) void queue.run(5, work(String(index)), index % 2 === 0);
  await begun();
  for (let index = 0; index < 20 && !started.includes("big"); index++) for (const name of [...started]) await end(name);
  expect(started).toContain("big");
  expect(started.length).toBeLessThan(14);
});

test("what is heavier than the capacity runs alone", async () => {
  const queue = weightedQueue({ capacity: 10, width: 3 });
  const { work, end, begun } = steps();
  void queue.run(25, work("huge"));
  void queue.run(1, work("small"));
  expect(await begun()).toEqual(["huge"]);
  expect(await end("huge")).toEqual(["huge", "small"]);
});

test("urgent work goes before what waits, in its own order", async () => {
  const queue = weightedQueue({ capacity: 1, width: 1 });
  const done: string[] = [];
  const add = (name: string, urgent: boolean) => queue.run(1, async () => void done.push(name), urgent);
  await Promise.all([add("a", false), add("b", false), add("C", true), add("d", false), add("E", true)]);
  expect(done).toEqual(["a", "C", "E", "b", "d"]);
});

test("work that fails makes room for the next", async () => {
  const queue = weightedQueue({ capacity: 1, width: 1 });
  await expect(queue.run(1, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await queue.run(1, async () => "yes")).toBe("yes");
});
