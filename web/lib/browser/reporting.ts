import { createStore } from "./store.ts";

/** The subject of a report. */
export interface Reported {
  kind: "memory" | "media" | "story" | "comment";
  id: string;
}

/** What is being reported, where a page has the window for it. */
export const reported = createStore<Reported | undefined>(undefined);

/** Opens the window for reporting this, where the page has one. */
export const askToReport = (what: Reported) => reported.set(what);
export const endReport = () => reported.set(undefined);
