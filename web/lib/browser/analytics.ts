import { ANALYTICS_KEY, type AnalyticsEvent } from "./analytics-event.ts";
import { config } from "./config.ts";
import { onConsent, readConsent } from "./consent.ts";
import { browserStorage } from "./storage.ts";

type Sink = (event: AnalyticsEvent) => void;

/** Events that wait for the adapters at most; more would come of an error that repeats itself. */
const MOST_WAITING = 20;

let sink: Sink | undefined;
let waiting: AnalyticsEvent[] = [];

const mayCollect = () => readConsent() === "accepted";

/** Reports an event. Before consent nothing is remembered but which page is shown. */
export function track(event: AnalyticsEvent) {
  try {
    if (!mayCollect()) waiting = event.name === "page_view" ? [event] : waiting;
    else if (sink) sink(event);
    else waiting = [...waiting, event].slice(-MOST_WAITING);
  } catch {
    // Spec §8: analytics failures are ignored.
  }
}

/** A screen has come up: its route's pattern. */
export const pageViewed = (path: string) => track({ name: "page_view", path });

/** Something failed that nothing caught. */
export const errorHappened = (error: unknown) =>
  track({ name: "error", message: error instanceof Error ? error.message : String(error) });

const loadAdapters = () =>
  import("./analytics-adapters.ts").then(({ openAdapters }) => openAdapters(config().collectors ?? []));

/** From a yes on, loads the adapters and hands them every event; from a no on, stops and forgets. Gives what ends that. */
export function followConsent(load: () => Promise<Sink> = loadAdapters): () => void {
  let answer = 0;
  const act = () => {
    const current = ++answer;
    sink = undefined;
    if (!mayCollect()) return browserStorage.removeItem(ANALYTICS_KEY);
    load().then(
      (opened) => {
        if (current !== answer) return;
        sink = opened;
        const held = waiting;
        waiting = [];
        held.forEach(track);
      },
      () => {},
    );
  };
  act();
  const end = onConsent(act);
  return () => {
    answer++;
    sink = undefined;
    end();
  };
}
