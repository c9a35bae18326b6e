import { ANALYTICS_KEY, type AnalyticsEvent } from "./analytics-event.ts";
import { config } from "./config.ts";
import { onConsent, readConsent } from "./consent.ts";
import { browserStorage } from "./storage.ts";

type Sink = (event: AnalyticsEvent) => void;

/** The maximum number of events waiting for the adapters; more are the result of a repeating error. */
const MOST_WAITING = 20;

let sink: Sink | undefined;
let waiting: AnalyticsEvent[] = [];

const mayCollect = () => readConsent() === "accepted";

/** Reports an event. Before consent, only the page view is remembered. */
export function track(event: AnalyticsEvent) {
  try {
    if (!mayCollect()) waiting = event.name === "page_view" ? [event] : waiting;
    else if (sink) sink(event);
    else waiting = [...waiting, event].slice(-MOST_WAITING);
  } catch {
    // Spec §8: analytics failures are ignored.
  }
}

/** Reports a page view, by its route's pattern. */
export const pageViewed = (path: string) => track({ name: "page_view", path });

/** Reports an error that nothing caught. */
export const errorHappened = (error: unknown) =>
  track({ name: "error", message: error instanceof Error ? error.message : String(error) });

const loadAdapters = () =>
  import("./analytics-adapters.ts").then(({ openAdapters }) => openAdapters(config().collectors ?? []));

/**
 * After consent, loads the adapters and sends them every event. After a refusal, stops and deletes the data. Returns
 * the function that ends this.
 */
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
        const waitingEvents = waiting;
        waiting = [];
        waitingEvents.forEach(track);
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
