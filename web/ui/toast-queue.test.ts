import { expect, test } from "vitest";
import { dismissed, type ShownToast, TOAST_REMOVE_DELAY_MS, withoutToast, withToast } from "./toast-queue.ts";

const toast = (id: number): ShownToast => ({ id, title: `Toast ${id}`, open: true });

test("Spec §4: at most one toast is visible, and a new one replaces the old", () => {
  expect(withToast(withToast([], toast(1)), toast(2))).toEqual([toast(2)]);
});

test("Spec §4: a dismissed toast closes at once and is removed after a very long delay", () => {
  const closed = dismissed([toast(1)], 1);
  expect(closed).toEqual([{ ...toast(1), open: false }]);
  expect(TOAST_REMOVE_DELAY_MS).toBe(1_000_000);
  expect(withoutToast(closed, 1)).toEqual([]);
});

test("dismissing a toast that was replaced changes nothing", () => {
  expect(dismissed([toast(2)], 1)).toEqual([toast(2)]);
  expect(withoutToast([toast(2)], 1)).toEqual([toast(2)]);
});
