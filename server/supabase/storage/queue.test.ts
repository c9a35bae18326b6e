import { expect, test } from "vitest";
import { queue } from "./queue.ts";

test("no more than the width runs at once, and all of it is done", async () => {
  const line = queue(3);
  let running = 0;
  let most = 0;
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      line.run(async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return index;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test("urgent work goes before what waits, in its own order", async () => {
  const line = queue(1);
  const done: string[] = [];
  const add = (name: string, urgent: boolean) => line.run(async () => void done.push(name), urgent);
  await Promise.all([add("a", false), add("b", false), add("C", true), add("d", false), add("E", true)]);
  expect(done).toEqual(["a", "C", "E", "b", "d"]);
});

test("work that fails makes room for the next", async () => {
  const line = queue(1);
  await expect(line.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await line.run(async () => "yes")).toBe("yes");
});
