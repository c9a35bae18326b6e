import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gatherChanges, type RowChange } from "./use-row-changes.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const change = (id: number): RowChange => ({ event: "INSERT", table: "notices", row: { id } });

test("rows that arrive close together are passed on together, and a lost connection is reported separately", () => {
  const onChange = vi.fn();
  const gathering = gatherChanges(onChange);
  gathering.add(change(1));
  gathering.add(undefined);
  gathering.add(change(2));
  vi.runAllTimers();
  gathering.add(change(3));
  vi.runAllTimers();
  gathering.add(undefined);
  vi.runAllTimers();
  gathering.add(change(4));
  gathering.stop();
  vi.runAllTimers();
  const passed = onChange.mock.calls.map(([changes]) => changes?.map(({ row }: RowChange) => row.id));
  expect(passed).toEqual([undefined, [1, 2], [3], undefined]);
});
