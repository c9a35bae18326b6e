import { servedDocument, servedPage } from "../lib/browser/served-page.ts";

/** After the page's root: starts the app, and removes a prerendered page that is for another reader. */

/** The app starts after this at the latest, in milliseconds. */
const LATEST_MS = 3000;

const root = servedDocument();
const page = servedPage();
const isForAnother = root.dataset.other !== undefined;
/** Scripts of a page that is readable without them. They start after the first paint, because they block a phone. */
const app = document.getElementById("app") as HTMLTemplateElement | null;

const startApp = () => {
  if (app) document.head.append(app.content);
};

/** Starts the app after the first paint. */
function startAfterPaint() {
  // Old browsers have no observer, or none of the paint.
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes("paint")) return startApp();
  new PerformanceObserver((paints, observer) => {
    if (paints.getEntriesByName("first-contentful-paint").length === 0) return;
    observer.disconnect();
    startApp();
  }).observe({ type: "paint", buffered: true });
}

if (isForAnother || document.hidden) startApp();
else if (page?.startAfter) {
  setTimeout(startApp, LATEST_MS);
  void page.startAfter.then(startApp);
} else startAfterPaint();

const settings = document.getElementById("config");
if (page && settings) page.settings = Promise.resolve(new Response(settings.textContent));

if (page?.firstElementChild && !isForAnother) {
  // What extensions insert from now on is removed before the app takes over (displaced-nodes.ts).
  page.elements = new WeakSet(page.querySelectorAll("*"));
} else if (page) {
  delete page.dataset.prerendered;
  const starting = document.getElementById("starting") as HTMLTemplateElement | null;
  page.replaceChildren(...(starting ? [starting.content] : []));
}

/** Milliseconds until a page whose scripts could not be loaded is loaded again. */
const RELOAD_AFTER_MS = 1000;

/**
 * A file of the app could not be loaded, e.g. because the network failed once. Browsers keep a module that failed, so only a
 * new page requests it again. A page that shows nothing yet is loaded again once; then, and on a page that can be read,
 * the person decides.
 */
function startFailed() {
  const failed = document.getElementById("failed") as HTMLTemplateElement | null;
  const button = failed?.content.querySelector("button");
  if (!page || !failed || !button) return;
  if (page.querySelector(".starting")) {
    const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (load?.type !== "reload") return void setTimeout(() => location.reload(), RELOAD_AFTER_MS);
    page.replaceChildren();
  }
  button.onclick = () => location.reload();
  document.body.append(failed.content);
}

if (page) page.startFailed = startFailed;

addEventListener(
  "error",
  ({ target, error }: ErrorEvent) => {
    // The app runs.
    if (page?.served) return;
    const isFile = target instanceof Element && target.matches("script[type=module]");
    // Half a file arrived.
    if (isFile || error instanceof SyntaxError) startFailed();
  },
  // Errors of elements do not bubble.
  true,
);
