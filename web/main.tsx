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
import { type ServedPage, servedPage } from "./lib/browser/served-page.ts";
import { setUpTheme } from "./lib/browser/theme.ts";
import { loadPage } from "./load-page.ts";

/** Spec §9: the app renders after 100 ms. */
const RENDER_AFTER_MS = 100;

// The browser writes both to its console by itself.
addEventListener("error", ({ error, message }) => errorHappened(error ?? message));
addEventListener("unhandledrejection", ({ reason }) => errorHappened(reason));

// Read before the first page leads on to another; what is done with it is asked of few, and fetched for them alone.
const recommendedBy = new URLSearchParams(location.search).get(REFERRAL_PARAMETER);
if (recommendedBy) {
  void import("./data/track-referral.ts").then(({ arrive }) => arrive(recommendedBy)).catch(() => {});
}

/** The fields of a page that hold text, but for the boxes of a PIN, which take over what was typed by themselves. */
const textFields = (page: HTMLElement) =>
  page.querySelectorAll<HTMLInputElement>("input:not([type=checkbox], [type=radio], [data-digits] *), textarea");

interface TakeOverProps {
  page: ServedPage;
  /** What was typed into each of its fields. */
  typed: readonly string[];
  children: ReactNode;
}

/** Goes on with what was typed into a prerendered page before the app was here; index.html keeps what was pressed. */
function TakeOver({ page, typed, children }: TakeOverProps) {
  // At once: a key that both the page and the app heard of would be lost.
  useLayoutEffect(() => {
    delete page.dataset.prerendered;
    for (const [index, field] of textFields(page).entries()) {
      // What is in it now may be newer: somebody may type while the app takes over.
      const text = field.value || typed[index];
      if (!text) continue;
      // As if it were typed now, so that its form hears of it. React passes on only what differs from what it last saw.
      for (const value of [`${text} `, text]) {
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
  }, [page, typed]);
  return children;
}

/** Renders a page of which nothing is left that the server sent. */
function render(element: ServedPage, app: ReactNode) {
  const root = createRoot(element);
  // In steps of some milliseconds, between which a phone goes on with what is touched.
  startTransition(() => root.render(app));
  element.served = new WeakSet();
}

async function start(element: ServedPage) {
  try {
    setUpTheme();
    beginLanguage();
    const [page] = await Promise.all([
      // Its code may ask for the settings as it starts.
      loadConfig((url) => element.settings?.then((reply) => reply.clone()) ?? fetch(url)).then(() => {
        followConsent();
        return loadPage(location.pathname);
      }),
      new Promise((resolve) => setTimeout(resolve, RENDER_AFTER_MS)),
    ]);
    const app = (
      <App>
        <AppRouter page={page} />
      </App>
    );
    // What the server sent of the page stays; index.html has put it away where it is not for this reader.
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
    errorHappened(error);
    render(element, <StartFailure error={error} />);
  }
}

const element = servedPage();
if (element) void start(element);
