import { afterEach, expect, test, vi } from "vitest";
import { browserOnline } from "./online.ts";

afterEach(() => vi.unstubAllGlobals());

test("without a network only a server on the same machine is reachable", () => {
  const at = (hostname: string, onLine: boolean) => {
    vi.stubGlobal("location", { hostname });
    vi.stubGlobal("navigator", { onLine });
    return browserOnline.get();
  };
  expect(at("skies.example", true)).toBe(true);
  expect(at("skies.example", false)).toBe(false);
  expect(at("localhost", false)).toBe(true);
});
