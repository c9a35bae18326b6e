import { NO_DIGITS, type PinDigits, pastedInto, pinOf, pressedIn, typedInto } from "../features/sharing/pin-digits.ts";
import { type ServedPage, servedDocument, servedPage } from "../lib/browser/served-page.ts";

/**
 * After the root of a link's page: a PIN can be typed, and the opened memory's hero is shown, while the app loads. The
 * boxes follow the rules of the app's own (`pin-digits.ts`), which adopts their digits (`PinBoxes.tsx`).
 */

/** What the server answers to an opening, as far as this script reads it (`shared/share.ts`). */
interface Opened {
  screen?: { pictures?: Partial<HTMLImageElement>[]; hero?: string };
}

const root = servedDocument();

/** Hands the response to the app, and shows what it contains. Resolves after the hero was painted. */
function openWith(page: ServedPage, answer: Promise<Response>, pin?: string): Promise<unknown> {
  page.opening = { pin, answer };
  const isShowing = answer
    .then((response) => response.clone().json() as Promise<Opened>)
    .then((opened) => showScreen(page, opened));
  // The hero is painted one frame later.
  return isShowing.then(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    () => {},
  );
}

/** Preloads the first pictures while the app loads, and shows the hero. */
function showScreen(page: ServedPage, { screen }: Opened) {
  for (const picture of screen?.pictures ?? []) Object.assign(new Image(), { fetchPriority: "high" }, picture);
  if (screen?.hero) showHero(page, screen.hero);
}

/** Shows the hero in its final position, over the loading view, until the app has rendered its own and decoded its picture. */
function showHero(page: ServedPage, html: string) {
  const isLoading = () => page.querySelector(".starting, .sunrise") !== null || !page.textContent;
  if (!isLoading()) return;
  const hero = document.createElement("div");
  Object.assign(hero, { ariaHidden: "true", className: "fixed inset-0 top-16 bg-paper" });
  hero.innerHTML = `${html}<span class="sunrise mx-auto mt-10"></span>`;
  page.after(hero);
  new MutationObserver((_, changes) => {
    if (isLoading()) return;
    changes.disconnect();
    hero.className = "fixed inset-x-0 top-16";
    hero.lastChild?.remove();
    const remove = () => hero.remove();
    const picture = page.querySelector<HTMLImageElement>("img[loading=eager]");
    if (picture) picture.decode().then(remove, remove);
    else remove();
  }).observe(page, { childList: true, subtree: true });
}

/** The first digit preloads the scripts of the memory's page. */
function preloadMemory(page: ServedPage) {
  const files = (page.dataset.later ?? "").split(" ").filter(Boolean);
  delete page.dataset.later;
  for (const file of files) {
    const link = { rel: "modulepreload", crossOrigin: "", fetchPriority: "low", href: `/${file}` };
    document.head.append(Object.assign(document.createElement("link"), link));
  }
}

/** Handles the boxes of the prerendered page until the app takes them over. */
function takeDigits(page: ServedPage) {
  const boxes = [...page.querySelectorAll<HTMLInputElement>("[data-digits] input")];
  const shareId = location.pathname.split("/")[2];
  let digits = NO_DIGITS;

  const change = (next: PinDigits | undefined) => {
    preloadMemory(page);
    digits = next?.digits ?? digits;
    page.digits = digits;
    for (const [at, box] of boxes.entries()) box.value = digits[at] ?? "";
    if (next) boxes[next.focus]?.focus();
    const pin = pinOf(digits);
    if (pin && !page.opening && root.openLink) void openWith(page, root.openLink(pin), pin);
  };

  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    handle: (event: HTMLElementEventMap[Name], at: number, box: HTMLInputElement) => void,
  ) =>
    page.addEventListener(name, (event) => {
      const at = boxes.indexOf(event.target as HTMLInputElement);
      const box = boxes[at];
      if (box && page.dataset.prerendered !== undefined) handle(event, at, box);
    });

  on("input", (_event, at, box) => change(typedInto(digits, at, box.value, shareId)));
  on("paste", (event) => {
    event.preventDefault();
    change(pastedInto(digits, event.clipboardData?.getData("text") ?? "", shareId));
  });
  on("keydown", (event, at) => {
    const next = pressedIn(digits, at, event.key);
    if (!next) return;
    event.preventDefault();
    change(next);
  });
  on("focusin", (_event, _at, box) => box.select());
  boxes[0]?.focus();
}

const page = servedPage();
if (page) {
  if (root.opening) page.startAfter = openWith(page, root.opening);
  if (page.firstElementChild && root.dataset.other === undefined) takeDigits(page);
}
