import { expect, test } from "vitest";
import { deviceKind } from "./device-kind.ts";

test.each([
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1",
    "phone",
  ],
  ["Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36", "phone"],
  ["Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 Chrome/130.0 Safari/537.36", "tablet"],
  [
    "Mozilla/5.0 (iPad; CPU OS 16_5 like Mac OS X) AppleWebKit/605.1.15 Version/16.5 Mobile/15E148 Safari/604.1",
    "tablet",
  ],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/143.0.0.0 Safari/537.36", "computer"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0", "computer"],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", ""],
  ["curl/8.5.0", ""],
  [null, ""],
])("%s is %j", (userAgent, kind) => {
  expect(deviceKind(userAgent)).toBe(kind);
});
