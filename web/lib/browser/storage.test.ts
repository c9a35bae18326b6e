import { afterEach, expect, test, vi } from "vitest";
import { browserStorage, isStorageBlocked, keepJson, readJson } from "./storage.ts";

const refuse = () => {
  throw new Error("QuotaExceededError");
};

afterEach(() => vi.unstubAllGlobals());

test("a value lasts as long as the page if the browser's storage is blocked", () => {
  const closed = { getItem: refuse, setItem: refuse, removeItem: refuse, clear: refuse };
  vi.stubGlobal("localStorage", closed);
  expect(isStorageBlocked()).toBe(true);
  expect(browserStorage.getItem("draft")).toBeNull();
  expect(browserStorage.setItem("draft", "She sang")).toBe(false);
  expect(browserStorage.getItem("draft")).toBe("She sang");
  browserStorage.removeItem("draft");
  expect(browserStorage.getItem("draft")).toBeNull();
  keepJson(browserStorage, "list", ["a"]);
  browserStorage.clear();
  expect(readJson(browserStorage, "list")).toBeUndefined();
});

test("a value changed or broken by another script is read as it is now", () => {
  const values = new Map<string, string>();
  const setItem = (key: string, value: string) => void values.set(key, value);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => values.get(key) ?? null,
    setItem,
    removeItem: (key: string) => values.delete(key),
  });
  expect(isStorageBlocked()).toBe(false);
  expect(browserStorage.setItem("list", '["a"]')).toBe(true);
  values.set("list", '["b"]');
  expect(readJson(browserStorage, "list")).toEqual(["b"]);
  values.set("list", '["b"');
  expect(readJson(browserStorage, "list")).toBeUndefined();
});
