import { afterEach, expect, test, vi } from "vitest";
import { readChoice, steps } from "./all.mjs";

afterEach(() => vi.restoreAllMocks());

test("a run has all suites, or those that are named, in their order", () => {
  expect(readChoice([]).suites).toContain("check");
  expect(readChoice(["--only=e2e,unit"])).toEqual({ suites: ["unit", "e2e"], shard: undefined });
});

test("a whole run has the checks, the tests without a browser and those in the browser, and none is left out", () => {
  const titles = (args: string[]) => steps(readChoice(args).suites, undefined).map(({ title }) => title.split(":")[0]);
  const all = ["Style, types and rules of the house", "Without a browser", "In the browser"];
  expect(titles([])).toEqual(all);
  expect([["check"], ["attacks"], ["e2e"]].map(([only]) => titles([`--only=${only}`]))).toEqual(
    all.map((one) => [one]),
  );
});

test("two machines share a run, each with a part of the files", () => {
  expect(readChoice(["--shard=2/2", "--only=unit"])).toEqual({ suites: ["unit"], shard: "2/2" });
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
