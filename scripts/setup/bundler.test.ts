import { expect, test } from "vitest";
import { withBundler } from "./bundler.mjs";

test("the bundler goes on for whoever still uses it when another one has failed", async () => {
  const scripts = await withBundler(async ({ transform }) => {
    const first = transform("const a: number = 1", { loader: "ts" });
    const failing = withBundler(() => Promise.reject(new Error("It cannot be built")));
    await expect(failing).rejects.toThrow("It cannot be built");
    return [await first, await transform("const b: number = 2", { loader: "ts" })];
  });
  expect(scripts.map(({ code }) => code.trim())).toEqual(["const a = 1;", "const b = 2;"]);
});
