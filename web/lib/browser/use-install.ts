import { type InstallPrompt, servedDocument } from "./served-page.ts";
import { browserStorage } from "./storage.ts";
import { createStore, type Readable, useStore } from "./store.ts";

/** A script in the page keeps the event, because it may occur before this module has loaded (web/inline/reader.ts). */
const root = servedDocument();

/** The number of answers on this page, to notify subscribers. */
const answers = createStore(0);

/** The browser's own offer to install the page, until it was used. */
const installPrompt: Readable<InstallPrompt | undefined> = {
  get: () => root.installPrompt,
  subscribe(listener) {
    const end = answers.subscribe(listener);
    addEventListener("beforeinstallprompt", listener);
    return () => {
      end();
      removeEventListener("beforeinstallprompt", listener);
    };
  },
};

/** Shows the browser's question whether to install the page. */
export function askToInstall() {
  void root.installPrompt?.prompt();
  // The browser refuses a second use of the same event.
  root.installPrompt = undefined;
  answers.set(answers.get() + 1);
}

/** iPhones and iPads have no such event: a person adds the page in the share menu of the browser. */
const isByHand = () => {
  const { standalone, maxTouchPoints } = navigator as Navigator & { standalone?: boolean };
  return standalone === false && maxTouchPoints > 1;
};

/** How this browser puts the page on the home screen; undefined if it cannot, or the page was opened from there. */
export function useInstallWay(): "prompt" | "by hand" | undefined {
  const prompt = useStore(installPrompt);
  return prompt ? "prompt" : isByHand() ? "by hand" : undefined;
}

const isPhone = () => matchMedia("(pointer: coarse)").matches;
const keyOf = (page: string) => `skies-install-${page}`;
const DISMISSED = "no";

/**
 * Whether a page may offer to put itself on a phone's home screen, and the function that ends the offer in this browser.
 * With `laterDay`, it does so from the day after the first visit.
 */
export function useInstallOffer(page: string, { laterDay = false } = {}) {
  useStore(answers);
  const way = useInstallWay();
  const key = keyOf(page);
  const today = new Date().toDateString();
  const stored = browserStorage.getItem(key);
  const isFirstDay = laterDay && (stored === null || stored === today);
  return {
    way: stored === DISMISSED || isFirstDay || !isPhone() ? undefined : way,
    dismiss() {
      browserStorage.setItem(key, DISMISSED);
      answers.set(answers.get() + 1);
    },
  };
}

/** Stores the day of the first visit of a page with an offer. */
export function storeFirstVisit(page: string) {
  const key = keyOf(page);
  if (browserStorage.getItem(key) === null) browserStorage.setItem(key, new Date().toDateString());
}

/** Forgets that a page was visited, and whether its offer was dismissed. */
export const forgetInstallOffer = (page: string) => browserStorage.removeItem(keyOf(page));
