/** What somebody finds something wrong with. */
export interface Reported {
  kind: "memory" | "media" | "story" | "comment";
  id: string;
}

let asked: Reported | undefined;
const listeners = new Set<() => void>();

function set(now: Reported | undefined) {
  asked = now;
  for (const listener of listeners) listener();
}

/** Opens the window for reporting this, where the page has one. */
export const askToReport = (what: Reported) => set(what);
export const endReport = () => set(undefined);
export const askedToReport = () => asked;

export function onReporting(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
