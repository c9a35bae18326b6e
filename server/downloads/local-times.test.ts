import { expect, test } from "vitest";
import type { Contents } from "./contents.ts";
import { withLocalTimes } from "./local-times.ts";

test("what was written shortly before midnight in UTC has the next day in Rome, and the same day in New York", () => {
  const row = { created_at: "2026-03-08T23:30:00.123456" };
  const contents = { album: null, memories: [{ items: [row], comments: [row] }] } as unknown as Contents;
  const times = (timeZone: string) =>
    withLocalTimes(contents, timeZone).memories.flatMap(({ items, comments }) =>
      [...items, ...comments].map(({ created_at }) => created_at),
    );
  expect(times("Europe/Rome")).toEqual(["2026-03-09T00:30:00", "2026-03-09T00:30:00"]);
  expect(times("America/New_York")).toEqual(["2026-03-08T19:30:00", "2026-03-08T19:30:00"]);
  expect(times("UTC")).toEqual(["2026-03-08T23:30:00", "2026-03-08T23:30:00"]);
});
