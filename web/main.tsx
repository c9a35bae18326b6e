import "./styles.css";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { setUpLanguage } from "./i18n/setup.ts";
import { StartFailure } from "./layout/StartFailure.tsx";
import { errorHappened } from "./lib/browser/analytics.ts";
import { loadConfig } from "./lib/browser/config.ts";
import { setUpTheme } from "./lib/browser/theme.ts";

/** Spec §9: the app renders after 100 ms. */
const RENDER_AFTER_MS = 100;

// The browser writes both to its console by itself.
addEventListener("error", ({ error, message }) => errorHappened(error ?? message));
addEventListener("unhandledrejection", ({ reason }) => errorHappened(reason));

async function start(element: HTMLElement) {
  const root = createRoot(element);
  try {
    setUpTheme();
    await setUpLanguage();
    await Promise.all([loadConfig(), new Promise((resolve) => setTimeout(resolve, RENDER_AFTER_MS))]);
    root.render(<App />);
  } catch (error) {
    console.error(error);
    errorHappened(error);
    root.render(<StartFailure error={error} />);
  }
}

const element = document.getElementById("root");
if (element) void start(element);
