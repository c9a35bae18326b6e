import { createStore } from "./store.ts";

/** The subject of a report. */
export interface Reported {
  kind: "memory" | "media" | "story" | "comment";
  id: string;
}

/** The subject of the open report dialog. */
export const reported = createStore<Reported | undefined>(undefined);

/** Opens the report dialog, if the page has one. */
export const askToReport = (what: Reported) => reported.set(what);
export const endReport = () => reported.set(undefined);
