import { tabStorage } from "./storage.ts";
import { createStore, type Readable } from "./store.ts";

const KEY = "skies-panel";

/** Help, or one memory's comments. */
export type SidePanelName = "help" | `conversation ${string}`;

/** Returns the panel that was open on this page before a reload. On another page or in another tab it stays closed. */
function panelBeforeReload(): SidePanelName | null {
  const [path, name] = tabStorage.getItem(KEY)?.split(" at ").reverse() ?? [];
  return typeof location !== "undefined" && path === location.pathname ? (name as SidePanelName) : null;
}

const open = createStore(panelBeforeReload(), null);
let opener: Element | null = null;
let isRequested = false;

/** The open side panel, one at a time. It opens again after a reload. */
export const openPanel: Readable<SidePanelName | null> = open;

/** Opens a panel and closes the previous one. */
export function showPanel(name: SidePanelName) {
  opener = document.activeElement;
  isRequested = true;
  tabStorage.setItem(KEY, `${name} at ${location.pathname}`);
  open.set(name);
}

export function closePanel() {
  tabStorage.removeItem(KEY);
  open.set(null);
}

/** Whether the new panel was opened by a person and not by a reload: then it takes the focus. */
export function wasAskedFor(): boolean {
  const was = isRequested;
  isRequested = false;
  return was;
}

/**
 * Focuses the element that opened the panel, or the button in the corner if that no longer exists, e.g. after a reload.
 */
export function focusOpener() {
  // The button is hidden during text input.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  const target = opener?.isConnected && opener !== document.body ? opener : document.querySelector("[data-corner]");
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}
