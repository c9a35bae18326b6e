import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type NavigateOptions,
  type Navigator,
  type To,
} from "react-router";
import { keepJson, readJson, tabStorage } from "./storage.ts";

const history = createBrowserHistory({ v5Compat: true });
const POSITIONS = "skies-scroll";

/** An entry of the browser's history. `stay` keeps the scroll position. */
export interface Visit {
  location: typeof history.location;
  action: typeof history.action;
  stay: boolean;
}

const visit = (stay: boolean): Visit => ({ location: history.location, action: history.action, stay });

let stay = false;
const go = (method: "push" | "replace") => (to: To, state?: unknown, options?: NavigateOptions) => {
  stay = options?.preventScrollReset === true;
  history[method](to, state);
  stay = false;
};

/** The router's navigator, for links and `useNavigate`. */
export const navigator: Navigator = {
  createHref: history.createHref,
  encodeLocation: history.encodeLocation,
  go: history.go,
  push: go("push"),
  replace: go("replace"),
};

/** The current history entry. */
export const firstVisit = (): Visit => visit(true);

/** Calls back after each navigation; returns the unsubscribe function. */
export const onVisit = (listener: (next: Visit) => void) =>
  history.listen(() => {
    const isWithin = window.history.state === null;
    if (isWithin) nameEntry();
    listener(visit(isWithin || stay));
  });

/**
 * Gives the entry its own key. If the browser itself follows a link within the page, the entry has no key. It would
 * then share the scroll position of the first page, which may be stored before the browser scrolls.
 */
function nameEntry() {
  window.history.replaceState({ key: Math.random().toString(36).slice(2, 10) }, "");
}

/** The first page of every visit has the key "default", also after a payment. Its path is used instead. */
const keyOf = ({ key, pathname }: Visit["location"]) => (key === "default" ? pathname : key);

const positions = (readJson(tabStorage, POSITIONS) ?? {}) as Record<string, number>;

// A page that is opened anew begins at its top. Only a reload and the browser's own way back return to a position.
const [opened] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
if (opened?.type === "navigate") delete positions[location.pathname];

/** Stores the scroll position of this entry. */
export function keepPosition({ location }: Visit) {
  positions[keyOf(location)] = scrollY;
}

/** Replaces the browser's scroll restoration, which runs before a page has loaded. `currentVisit` returns the entry. */
export function followScrolling(currentVisit: () => Visit): () => void {
  window.history.scrollRestoration = "manual";
  const onHide = () => {
    keepPosition(currentVisit());
    window.history.scrollRestoration = "auto";
    keepJson(tabStorage, POSITIONS, positions);
  };
  const onShow = () => {
    window.history.scrollRestoration = "manual";
  };
  addEventListener("pagehide", onHide);
  addEventListener("pageshow", onShow);
  return () => {
    removeEventListener("pagehide", onHide);
    removeEventListener("pageshow", onShow);
  };
}

/** Scrolls to the stored position of this entry, the target of its hash, or the top. */
export function scrollFor({ location, stay }: Visit) {
  const position = positions[keyOf(location)];
  if (position !== undefined) {
    scrollTo(0, position);
    // The page's parts load later.
    if (scrollY < position - 1)
      void import("./hold-position.ts").then((late) => late.holdPosition(position)).catch(() => {});
    return;
  }
  const part = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (part) return part.scrollIntoView();
  if (!stay) scrollTo(0, 0);
}
