import { browserStorage } from "./storage.ts";
import { createStore, type Readable } from "./store.ts";

const KEY = "skies-panel";

/** Help, or one memory's comments. */
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

/** Whether the panel that appears now was opened by a press: it then takes the focus. */
export function wasAskedFor(): boolean {
  const was = asked;
  asked = false;
  return was;
}

/** Focuses the element that opened the panel; the button in the corner if it is gone, as after a reload. */
export function focusOpener() {
  // The button is hidden during text input.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  const known = opener?.isConnected && opener !== document.body ? opener : document.querySelector("[data-corner]");
  if (known instanceof HTMLElement) known.focus({ preventScroll: true });
}
