import { browserStorage } from "./storage.ts";
import { createStore } from "./store.ts";

const KEY = "skies-panel";

/** Help, or what is said about one memory. */
export type SidePanelName = "help" | `conversation ${string}`;

const open = createStore(browserStorage.getItem(KEY) as SidePanelName | null);

/** The panel that is open over the page, one at a time; it is open again after a reload. */
export const openPanel = { get: open.get, subscribe: open.subscribe };

/** What opened the panel, and has the focus again when it closes; undefined while nobody has pressed anything. */
export let panelOpener: Element | undefined;

/** Opens a panel, in place of the one before. */
export function showPanel(name: SidePanelName) {
  panelOpener = document.activeElement ?? undefined;
  browserStorage.setItem(KEY, name);
  open.set(name);
}

/** Closes the panel that is open. */
export function closePanel() {
  browserStorage.removeItem(KEY);
  open.set(null);
}
