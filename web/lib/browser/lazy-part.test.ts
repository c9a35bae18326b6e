import { expect, test } from "vitest";
import { orLater } from "./lazy-part.ts";

test("a part that can not be had is asked for again, less and less often, until it is here", async () => {
  const waits: number[] = [];
  let tries = 0;
  const load = async () => {
    tries += 1;
    if (tries < 8) throw new Error("Failed to fetch dynamically imported module");
    return "the part";
  };
  expect(await orLater(load, async (ms) => void waits.push(ms))).toBe("the part");
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test("a part that is here is not waited for", async () => {
  const never = () => Promise.reject(new Error("It waited"));
  expect(await orLater(async () => 1, never)).toBe(1);
});
