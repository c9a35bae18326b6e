import { servedPage } from "../lib/browser/served-page.ts";

/** How often a queued click is tried again, in milliseconds. */
const AGAIN_MS = 50;

/** What a person presses; forms submit by it. */
const PRESSABLE = "#root :is(button, [type=radio], [type=checkbox])";

// React drops clicks on parts of the page that it has not hydrated. They are queued here, and repeated after hydration.

/** Whether events reach an element: React stops all events on a part that it is still hydrating. */
function isHeard(element: Element): boolean {
  let heard = false;
  const hear = () => {
    heard = true;
  };
  element.addEventListener("auxclick", hear);
  element.dispatchEvent(new Event("auxclick", { bubbles: true }));
  element.removeEventListener("auxclick", hear);
  return heard;
}

/** Whether the app does not handle an element's events yet. */
function waits(element: Element): boolean {
  const served = servedPage()?.served;
  // The app has not loaded.
  if (!served) return true;
  if (served.has(element) && isHeard(element)) served.delete(element);
  return served.has(element);
}

/** Queued clicks in their order. Consecutive clicks on the same button count once. */
const queue: HTMLElement[] = [];
let repeats = false;

const canRepeat = (button: HTMLElement) => !button.isConnected || !waits(button);

function repeatNext() {
  const next = queue.findIndex(canRepeat);
  if (next < 0) {
    setTimeout(repeatNext, AGAIN_MS);
    return;
  }
  const [button] = queue.splice(next, 1);
  repeats = true;
  button?.click();
  repeats = false;
  if (queue.length > 0) setTimeout(repeatNext);
}

const inPage = (event: Event, selector: string) =>
  event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null;

addEventListener(
  "click",
  (event) => {
    const button = inPage(event, PRESSABLE);
    // A click while others are queued is queued after them.
    if (!button || repeats || !(waits(button) || queue.some(canRepeat))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (queue.length === 0) setTimeout(repeatNext, AGAIN_MS);
    if (queue.at(-1) !== button) queue.push(button);
  },
  true,
);

// If the browser submitted the form itself, it would leave the page.
addEventListener(
  "submit",
  (event) => {
    if (inPage(event, "#root *") && waits(event.target as Element)) event.preventDefault();
  },
  true,
);
