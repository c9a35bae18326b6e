import { expect, test } from "vitest";
import { queue } from "./queue.ts";

/** Tasks that end on request, and the order in which they started. */
function steps() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  /** Returns the started tasks, after all promises have settled. */
  const startedTasks = async () => {
    await new Promise(setImmediate);
    return started;
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    return startedTasks();
  };
  return { started, work, end, startedTasks };
}

test("the weights of running tasks never exceed the capacity, and every task finishes", async () => {
  const line = queue(4, 10);
  let used = 0;
  let most = 0;
  const done = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const weight = (index * 7) % 11;
      const work = async () => {
        used += weight;
        most = Math.max(most, used);
        await new Promise(setImmediate);
        used -= weight;
        return index;
      };
      return line.run(work, { weight });
    }),
  );
  expect(most).toBeLessThanOrEqual(10);
  expect(done).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test("no more tasks than the width run at once", async () => {
  const line = queue(2);
  const { work, end, startedTasks } = steps();
  for (const name of ["a", "b", "c"]) void line.run(work(name));
  expect(await startedTasks()).toEqual(["a", "b"]);
  expect(await end("a")).toEqual(["a", "b", "c"]);
});

test("a light task overtakes a heavy one that waits", async () => {
  const line = queue(3, 10);
  const { work, end, startedTasks } = steps();
  void line.run(work("medium"), { weight: 6 });
  void line.run(work("big"), { weight: 9 });
  void line.run(work("small"), { weight: 2 });
  expect(await startedTasks()).toEqual(["medium", "small"]);
  expect(await end("medium")).toEqual(["medium", "small"]);
  expect(await end("small")).toEqual(["medium", "small", "big"]);
});

test("a heavy task is not starved by light ones that keep coming", async () => {
  const line = queue(3, 10);
  const { started, work, end, startedTasks } = steps();
  void line.run(work("0"), { weight: 5 });
  void line.run(work("big"), { weight: 10 });
  for (let index = 1; index <= 30; index++) void line.run(work(String(index)), { weight: 5, urgent: index % 2 === 0 });
  await startedTasks();
  for (let index = 0; index < 20 && !started.includes("big"); index++) for (const name of [...started]) await end(name);
  expect(started).toContain("big");
  expect(started.length).toBeLessThan(14);
});

test("a task heavier than the capacity runs alone", async () => {
  const line = queue(3, 10);
  const { work, end, startedTasks } = steps();
  void line.run(work("huge"), { weight: 25 });
  void line.run(work("small"), { weight: 1 });
  expect(await startedTasks()).toEqual(["huge"]);
  expect(await end("huge")).toEqual(["huge", "small"]);
});

test("urgent tasks overtake waiting tasks and keep their own order", async () => {
  const line = queue(1);
  const done: string[] = [];
  const add = (name: string, urgent: boolean) => line.run(async () => void done.push(name), { urgent });
  await Promise.all([add("a", false), add("b", false), add("C", true), add("d", false), add("E", true)]);
  expect(done).toEqual(["a", "C", "E", "b", "d"]);
});

test("a failed task frees its slot for the next", async () => {
  const line = queue(1);
  await expect(line.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await line.run(async () => "yes")).toBe("yes");
});
