import { expect, test } from "vitest";
import { orLater } from "./lazy-part.ts";

test("a part that fails to load is requested again with longer pauses until it loads", async () => {
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

test("a loaded part is rendered at once", async () => {
  const never = () => Promise.reject(new Error("It waited"));
  expect(await orLater(async () => 1, never)).toBe(1);
});
