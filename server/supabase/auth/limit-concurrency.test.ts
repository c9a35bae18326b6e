import { expect, test } from "vitest";
import { limitConcurrency } from "./limit-concurrency.ts";

const refuse = () => {
  throw new Error("full");
};

/** A piece of work that goes on until it is told to end. */
function piece(log: string[], name: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end,
    work: async () => {
      log.push(name);
      await ended;
      return name;
    },
  };
}

test("work beyond the width waits its turn, and work beyond the line is refused", async () => {
  const log: string[] = [];
  const limited = limitConcurrency(2, 1, refuse);
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => piece(log, name));
  if (!a || !b || !c || !d) throw new Error("unreachable");
  const first = limited(a.work);
  const second = limited(b.work);
  const third = limited(c.work);
  await expect(limited(d.work)).rejects.toThrow("full");
  expect(log).toEqual(["a", "b"]);

  a.end();
  expect(await first).toBe("a");
  await expect.poll(() => log).toEqual(["a", "b", "c"]);
  b.end();
  c.end();
  expect(await Promise.all([second, third])).toEqual(["b", "c"]);
});

test("work that fails gives its place back", async () => {
  const limited = limitConcurrency(1, 0, refuse);
  await expect(limited(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await limited(async () => "next")).toBe("next");
});
