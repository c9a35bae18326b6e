import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchdog } from "./tus-transport.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an upload without progress is aborted, and one with progress is not", () => {
  const onStalled = vi.fn();
  const watch = watchdog(1000, onStalled);
  for (let sent = 0; sent < 900; sent += 100) {
    watch.progress(sent);
    vi.advanceTimersByTime(25_000);
  }
  expect(onStalled).not.toHaveBeenCalled();
  watch.progress(800);
  vi.advanceTimersByTime(5_000);
  expect(onStalled).toHaveBeenCalledOnce();
});

test("the server has a longer time limit after the last byte", () => {
  const onStalled = vi.fn();
  const watch = watchdog(1000, onStalled);
  watch.progress(1000);
  vi.advanceTimersByTime(120_000);
  expect(onStalled).not.toHaveBeenCalled();
  watch.end();
  vi.advanceTimersByTime(600_000);
  expect(onStalled).not.toHaveBeenCalled();
});
