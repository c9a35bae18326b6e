import { expect, test } from "vitest";
import { ConfigError, configProblems, loadConfig } from "./config.ts";

const good = {
  supabaseUrl: "https://skies.example",
  supabaseAnonKey: "sb_publishable_1",
  stripePublishableKey: "pk_test_1",
  turnstileSiteKey: "1x00",
};

test("Spec §5: complete settings have no problems", () => {
  expect(configProblems(good)).toEqual([]);
});

test.each([
  ["https://db.example", true],
  ["http://localhost:3000", true],
  ["http://127.0.0.1:3000", true],
  ["http://localhost", true],
  ["http://skies.example", false],
  ["http://localhost.evil.example", false],
  ["https://", false],
  ["ftp://db.example", false],
  ["", false],
  [undefined, false],
])("Spec §5: the database URL %s counts as valid: %s", (supabaseUrl, valid) => {
  expect(configProblems({ ...good, supabaseUrl })).toEqual(valid ? [] : ["supabaseUrl"]);
});

test("Spec §5: the public key needs at least 10 characters", () => {
  expect(configProblems({ ...good, supabaseAnonKey: "123456789" })).toEqual(["supabaseAnonKey"]);
  expect(configProblems({ ...good, supabaseAnonKey: "1234567890" })).toEqual([]);
});

test("Spec §5: every missing setting is listed at once", () => {
  const all = ["supabaseUrl", "supabaseAnonKey", "stripePublishableKey", "turnstileSiteKey"];
  for (const settings of [{}, null, "text", undefined, 7]) expect(configProblems(settings)).toEqual(all);
});

test("loading distinguishes missing settings from a server that does not answer", async () => {
  await expect(loadConfig(async () => Response.json({ ...good, turnstileSiteKey: "" }))).rejects.toBeInstanceOf(
    ConfigError,
  );
  const down = loadConfig(async () => new Response("", { status: 502 }));
  await expect(down).rejects.toThrow("/config.json: 502");
  await expect(down).rejects.not.toBeInstanceOf(ConfigError);
  await expect(loadConfig(async () => Response.json(good))).resolves.toEqual(good);
});
