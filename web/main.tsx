import "./styles.css";
import { type ReactNode, startTransition, useLayoutEffect } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { REFERRAL_PARAMETER } from "../shared/commission.ts";
import { App } from "./App.tsx";
import { AppRouter } from "./AppRouter.tsx";
import { beginLanguage } from "./i18n/translate.ts";
import { StartFailure } from "./layout/StartFailure.tsx";
import { errorHappened, followConsent } from "./lib/browser/analytics.ts";
import { loadConfig } from "./lib/browser/config.ts";
import { BACKGROUND_MS, pause } from "./lib/browser/lazy-part.ts";
import { type ServedPage, servedDocument, servedPage } from "./lib/browser/served-page.ts";
import { keepStartError, reportStartError } from "./lib/browser/start-error.ts";
import { setUpTheme } from "./lib/browser/theme.ts";
import { loadPage } from "./load-page.ts";

/** Spec §9: the app renders after 100 ms. */
const RENDER_AFTER_MS = 100;

// The setting that zod shares between its copies. Its attempt to compile code, which the page's policy refuses, is an error in
// Firefox's console.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// The browser itself logs both to the console.
addEventListener("error", ({ error, message }) => errorHappened(error ?? message));
addEventListener("unhandledrejection", ({ reason }) => errorHappened(reason));

// Read before the first page can redirect. Few visitors have a referral code, so the module is loaded only for them.
const recommendedBy = new URLSearchParams(location.search).get(REFERRAL_PARAMETER);
if (recommendedBy) {
  void import("./data/track-referral.ts").then(({ trackReferral }) => trackReferral(recommendedBy)).catch(() => {});
}

/** Returns the text fields of a page, without the boxes of a PIN: their component takes over typed digits itself. */
const textFields = (page: HTMLElement) =>
  page.querySelectorAll<HTMLInputElement>("input:not([type=checkbox], [type=radio], [data-digits] *), textarea");

interface TakeOverProps {
  page: ServedPage;
  /** Text typed into each of its fields before hydration. */
  typed: readonly string[];
  children: ReactNode;
}

/** Takes over text typed into a prerendered page before hydration. `web/inline/early-clicks.ts` repeats earlier clicks. */
function TakeOver({ page, typed, children }: TakeOverProps) {
  // In a layout effect: a key that both the page's script (web/inline/gate.ts) and the app handle would be lost.
  useLayoutEffect(() => {
    delete page.dataset.prerendered;
    delete page.digits;
    for (const [index, field] of textFields(page).entries()) {
      // The current value may be newer, because a person may type during hydration.
      const text = field.value || typed[index];
      if (!text) continue;
      // Simulates input events, so that the form receives the text. React ignores an event whose value has not changed,
      // so a different value is set first.
      for (const value of [`${text} `, text]) {
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
  }, [page, typed]);
  return children;
}

/** Renders a page without hydration. */
function render(element: ServedPage, app: ReactNode) {
  const root = createRoot(element);
  // A transition renders in steps of some milliseconds, so that a phone can respond to touches in between.
  startTransition(() => root.render(app));
  element.served = new WeakSet();
}

/** Loads the code of the current page. No error replaces a prerendered page: it stays until its code has loaded. */
async function firstPage(element: ServedPage) {
  let page = await loadPage(location.pathname);
  while (page.failed && element.dataset.prerendered !== undefined) {
    element.startFailed?.();
    await pause(BACKGROUND_MS);
    page = await loadPage(location.pathname);
  }
  document.querySelector(".failed")?.remove();
  return page;
}

async function start(element: ServedPage) {
  let hasSettings = false;
  try {
    setUpTheme();
    beginLanguage();
    const [page] = await Promise.all([
      // The settings are loaded first, because the page's code may read them when it is evaluated.
      loadConfig((url) => element.settings?.then((reply) => reply.clone()) ?? fetch(url)).then(() => {
        hasSettings = true;
        followConsent();
        reportStartError();
        return firstPage(element);
      }),
      new Promise((resolve) => setTimeout(resolve, RENDER_AFTER_MS)),
    ]);
    const app = (
      <App>
        <AppRouter page={page} />
      </App>
    );
    servedDocument().restoreTexts?.();
    // A prerendered page is hydrated. Its script has removed it if it does not suit this reader (web/inline/start.ts).
    if (element.dataset.prerendered === undefined) render(element, app);
    else {
      const served = new WeakSet(element.querySelectorAll("button, input, form"));
      const typed = [...textFields(element)].map(({ value }) => value);
      const taken = (
        <TakeOver page={element} typed={typed}>
          {app}
        </TakeOver>
      );
      startTransition(() => void hydrateRoot(element, taken));
      element.served = served;
    }
  } catch (error) {
    console.error(error);
    if (hasSettings) errorHappened(error);
    else keepStartError(error);
    render(element, <StartFailure error={error} />);
  }
}

const element = servedPage();
if (element) void start(element);
