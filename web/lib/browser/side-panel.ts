import { browserStorage } from "./storage.ts";
import { createStore, type Readable } from "./store.ts";

const KEY = "skies-panel";

/** Help, or what is said about one memory. */
export type SidePanelName = "help" | `conversation ${string}`;

const open = createStore(browserStorage.getItem(KEY) as SidePanelName | null, null);
let opener: Element | null = null;
let asked = false;

/** The panel that is open over the page, one at a time; it is open again after a reload. */
export const openPanel: Readable<SidePanelName | null> = open;

/** Opens a panel, in place of the one before. */
export function showPanel(name: SidePanelName) {
  opener = document.activeElement;
  asked = true;
  browserStorage.setItem(KEY, name);
  open.set(name);
}

/** Closes the panel that is open. */
export function closePanel() {
  browserStorage.removeItem(KEY);
  open.set(null);
}

/** Whether somebody has pressed for the panel that comes into sight now: it then has the focus. */
export function wasAskedFor(): boolean {
  const was = asked;
  asked = false;
  return was;
}

/** Gives the focus to what opened the panel; to the button in the corner where that is gone, as after a reload. */
export function focusOpener() {
  // The button is hidden while somebody writes.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  const known = opener?.isConnected && opener !== document.body ? opener : document.querySelector("[data-corner]");
  if (known instanceof HTMLElement) known.focus({ preventScroll: true });
}
