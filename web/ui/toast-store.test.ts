import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dismissToast, showToast, toasts } from "./toast-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("who showed a toast hears once that it has gone, however it went", () => {
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

test("one may be shown from within", () => {
  showToast({ title: "deleted", onClosed: () => showToast({ title: "could not be deleted" }) });
  dismissToast(toasts.get()[0]?.id ?? 0);
  expect(toasts.get().map(({ title, open }) => [title, open])).toEqual([["could not be deleted", true]]);
});
