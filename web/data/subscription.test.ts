import { expect, test } from "vitest";
import { daysLeft, detailsOf, isMemoryLimit, memoriesLeft } from "./subscription.ts";

test("Spec §3: the details give the active plan's limits and end", () => {
  const expires_at = "2027-11-20T10:00:00+00:00";
  const limits = { name: "Skies Memories", max_memories: null, storage_gb: 100 };
  expect(detailsOf({ plan_id: "skies-memories", expires_at, ...limits })).toEqual({
    has_subscription: true,
    plan_id: "skies-memories",
    plan_name: "Skies Memories",
    max_memories: null,
    expires_at,
    storage_gb: 100,
  });
});

test("Spec §4: without a subscription the Free plan applies, from its row or its default values", () => {
  const free = {
    has_subscription: false,
    plan_id: "skies-starter",
    plan_name: "Skies Starter",
    max_memories: 1,
    expires_at: null,
    storage_gb: 1,
  };
  expect(detailsOf(undefined)).toEqual(free);
  expect(detailsOf(undefined, { name: "Skies Starter", max_memories: 2, storage_gb: 3 })).toEqual({
    ...free,
    max_memories: 2,
    storage_gb: 3,
  });
});

test.each([
  [1, 0, 1],
  [1, 1, 0],
  [1, 4, 0],
  [null, 400, Number.POSITIVE_INFINITY],
])("a plan for %s memories with %i used allows %d more", (max_memories, used, remaining) =>
  expect(memoriesLeft({ max_memories }, used)).toBe(remaining),
);

test("a refusal for lack of memories is recognised by its hint", () => {
  const refusal = (hint?: string) => new Error("Failed to save memory", { cause: { code: "PT402", hint } });
  expect(
    [refusal("memory_limit"), refusal("storage_full"), refusal(), new Error("offline"), null].map(isMemoryLimit),
  ).toEqual([true, false, false, false, false]);
});

test.each([
  ["2030-01-31T00:00:00Z", 30],
  ["2030-01-01T00:00:01Z", 1],
  ["2029-12-31T00:00:00Z", 0],
  [null, null],
])("until %s %j days are left on New Year's Day 2030", (end, days) =>
  expect(daysLeft(end, new Date("2030-01-01T00:00:00Z"))).toBe(days),
);
