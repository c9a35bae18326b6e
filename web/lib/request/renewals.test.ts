import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { limitRenewals } from "./renewals.ts";

const RENEWAL = "https://skies.example/auth/v1/token?grant_type=refresh_token";
const OTHER = "https://skies.example/rest/v1/memories";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A line that is down until `restore` is called, and the number of requests that reached it. */
function brokenLine() {
  let down = true;
  const send = vi.fn(async () => {
    if (down) throw new TypeError("Failed to fetch");
    return new Response("{}");
  });
  const restore = () => {
    down = false;
  };
  return { send, restore };
}

test("Spec §9: of the repeated attempts to refresh a token, three are sent", async () => {
  const { send } = brokenLine();
  const request = limitRenewals(send);
  for (let attempt = 0; attempt < 8; attempt++) await expect(request(RENEWAL)).rejects.toThrow("Failed to fetch");
  expect(send).toHaveBeenCalledTimes(3);
});

test("a token is refreshed again as soon as the server answers, or after 30 seconds", async () => {
  const { send, restore } = brokenLine();
  const request = limitRenewals(send);
  for (let attempt = 0; attempt < 4; attempt++) await request(RENEWAL).catch(() => {});
  vi.advanceTimersByTime(30_000);
  await request(RENEWAL).catch(() => {});
  expect(send).toHaveBeenCalledTimes(4);
  restore();
  await request(OTHER);
  expect((await request(RENEWAL)).ok).toBe(true);
});
