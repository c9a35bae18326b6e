/** How many elements are remembered: the button of a menu, its item and what they open are a few. */
const MOST = 12;

/** The elements that had the focus or were pressed, newest last. */
const recent: WeakRef<HTMLElement>[] = [];

const remember = (target: EventTarget | null) => {
  if (!(target instanceof HTMLElement) || target === document.body) return;
  recent.push(new WeakRef(target));
  if (recent.length > MOST) recent.shift();
};

if (globalThis.document) {
  // This module may be loaded by what the focused button opens.
  remember(document.activeElement);
  document.addEventListener("focusin", ({ target }) => remember(target));
  // Some browsers do not focus a button that is clicked.
  document.addEventListener(
    "click",
    ({ target }) => target instanceof Element && remember(target.closest("button, a[href], summary, [tabindex]")),
    { capture: true },
  );
}

/**
 * Remembers what opens a window. Returns a function for its end, which focuses the element that last had the focus before
 * it and is still there: what was pressed, or the button of the menu in which it was chosen.
 */
export function rememberFocus(): () => void {
  const before = [...recent].reverse();
  return () => {
    for (const element of before.map((ref) => ref.deref())) {
      // `checkVisibility` is younger than the oldest supported browsers. What is not drawn, or not there, has no boxes.
      if (!element || element.getClientRects().length === 0) continue;
      element.focus({ preventScroll: true });
      if (document.activeElement === element) return;
    }
    // All of them are gone, e.g. after the device was turned: the page itself, so that the keyboard is never nowhere.
    document.getElementById("main")?.focus({ preventScroll: true });
  };
}
