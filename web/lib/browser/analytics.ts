/** What is worth knowing of how the app is used. Paths are patterns, as /shared/:shareId: an address can be a secret. */
export type AnalyticsEvent = { name: "page_view"; path: string } | { name: "error"; message: string };

type Sink = (event: AnalyticsEvent) => void;

const sinks = new Set<Sink>();

/** Sends every event from now on to `sink`; gives what ends that. */
export function sendAnalyticsTo(sink: Sink): () => void {
  sinks.add(sink);
  return () => sinks.delete(sink);
}

function send(event: AnalyticsEvent) {
  for (const sink of sinks) {
    try {
      sink(event);
    } catch {
      // Spec §8: analytics failures are ignored.
    }
  }
}

/** A screen has come up: its route's pattern. */
export const pageViewed = (path: string) => send({ name: "page_view", path });

/** Something failed that nothing caught. */
export const errorHappened = (error: unknown) =>
  send({ name: "error", message: error instanceof Error ? error.message : String(error) });
