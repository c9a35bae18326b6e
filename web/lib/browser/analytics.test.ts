import { expect, test } from "vitest";
import { type AnalyticsEvent, errorHappened, pageViewed, sendAnalyticsTo } from "./analytics.ts";

test("Spec §2: a page view reaches whoever listens, until they stop", () => {
  const heard: AnalyticsEvent[] = [];
  const stop = sendAnalyticsTo((event) => heard.push(event));
  pageViewed("/memory/:id");
  stop();
  pageViewed("/");
  expect(heard).toEqual([{ name: "page_view", path: "/memory/:id" }]);
});

test("Spec §8: an uncaught error is sent to analytics, whose own failures are ignored", () => {
  const heard: AnalyticsEvent[] = [];
  const stops = [
    sendAnalyticsTo(() => {
      throw new Error("blocked");
    }),
    sendAnalyticsTo((event) => heard.push(event)),
  ];
  errorHappened(new Error("broken"));
  errorHappened("text");
  for (const stop of stops) stop();
  expect(heard).toEqual([
    { name: "error", message: "broken" },
    { name: "error", message: "text" },
  ]);
});
