import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dismissToast, showToast, toasts } from "./toast-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a toast's close callback runs once, however it closes", () => {
  const heard: string[] = [];
  const show = (title: string) => showToast({ title, onClosed: () => heard.push(title) });
  show("replaced");
  show("closed");
  expect(heard).toEqual(["replaced"]);
  const id = toasts.get()[0]?.id ?? 0;
  dismissToast(id);
  dismissToast(id);
  show("next");
  expect(heard).toEqual(["replaced", "closed"]);
});

test("a toast may be shown from a close callback", () => {
  showToast({ title: "deleted", onClosed: () => showToast({ title: "could not be deleted" }) });
  dismissToast(toasts.get()[0]?.id ?? 0);
  expect(toasts.get().map(({ title, open }) => [title, open])).toEqual([["could not be deleted", true]]);
});
