import { afterEach, expect, test, vi } from "vitest";
import { readChoice, steps } from "./all.mjs";

afterEach(() => vi.restoreAllMocks());

test("a run has all suites, or those that are named, in their order", () => {
  expect(readChoice([]).suites).toContain("check");
  expect(readChoice(["--only=e2e,unit"])).toMatchObject({ suites: ["unit", "e2e"] });
});

test("a whole run has the checks, the tests without a browser and those in the browser, and none is left out", () => {
  const titles = (args: string[]) => steps(readChoice(args)).map(({ title }) => title.split(":")[0]);
  const all = ["Style, types and rules of the house", "Without a browser", "In the browser"];
  expect(titles([])).toEqual(all);
  expect([["check"], ["attacks"], ["e2e"]].map(([only]) => titles([`--only=${only}`]))).toEqual(
    all.map((one) => [one]),
  );
});

test("two machines share a run, each with a part of the files", () => {
  expect(readChoice(["--shard=2/2", "--only=unit"])).toMatchObject({ suites: ["unit"], shard: "2/2" });
});

test("a whole run tries a sample of what is tried in the browser, and a suite that is named is run in full", () => {
  expect(readChoice([]).isWhole).toBe(process.env.LONG_TESTS === "1");
  expect(readChoice(["--only=e2e"]).isWhole).toBe(true);
});

test.each([["--only=nothing"], ["--shard=3/2"], ["--shard=0/2"], ["--shard=half"], ["--fast"]])(
  "the command line %s runs nothing, and the usage is printed",
  (arg) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const exit = vi.spyOn(process, "exit").mockImplementation(() => {
      throw new Error("ended");
    });
    expect(() => readChoice([arg])).toThrow("ended");
    expect(exit).toHaveBeenCalledWith(2);
  },
);
