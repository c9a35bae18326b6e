import { expect, type Page } from "@playwright/test";

/**
 * Replaces every text of a document as Chromium's translator does, and those that appear later: adjacent text nodes become
 * one `<font><font>…</font></font>`. The words stay the same, so that locators work. Runs in the page.
 */
export function translateDocument() {
  const isTranslatable = ({ data, parentElement }: Text) =>
    data.trim() !== "" && !parentElement?.closest("font, script, style, textarea, option, title, [translate=no]");
  const translate = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) if (isTranslatable(walker.currentNode as Text)) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const { parentNode } = text;
      // A part of a run that has been replaced already.
      if (!parentNode) continue;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = text.data;
      outer.append(inner);
      parentNode.replaceChild(outer, text);
      for (let next = outer.nextSibling; next instanceof Text && next.data.trim(); next = outer.nextSibling) {
        inner.textContent += next.data;
        next.remove();
      }
    }
  };
  const begin = () => {
    translate();
    let timer: ReturnType<typeof setTimeout> | undefined;
    new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(translate, 20);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", begin);
  else begin();
}

/**
 * Does to a document what extensions do: empty elements are inserted before, behind and inside its elements, and every
 * third link is wrapped. Runs in the page.
 */
export function extendDocument() {
  const mark = (name: string) => {
    const element = document.createElement(name);
    element.dataset.extension = "";
    return element;
  };
  for (const field of document.querySelectorAll("input, textarea, button, h1, h2, li")) {
    field.before(mark("password-icon"));
    field.after(mark("password-icon"));
  }
  for (const place of document.querySelectorAll("form, p, h1, ul, section, main, [role=dialog]")) {
    place.prepend(mark("grammar-checker"));
    place.append(mark("grammar-checker"));
  }
  for (const [at, link] of document.querySelectorAll("#root a").entries()) {
    if (at % 3 > 0) continue;
    const wrapper = mark("link-preview");
    wrapper.style.display = "contents";
    link.replaceWith(wrapper);
    wrapper.append(link);
  }
  document.body.append(mark("extension-overlay"));
}

/** A node of React's tree. */
interface Fiber {
  tag: number;
  child: Fiber | null;
  sibling: Fiber | null;
  stateNode: Element;
  memoizedProps: { children?: unknown } | string;
}

/** The elements in which React keeps its tree, by the name of a property. */
type Container = Record<string, { stateNode: { current: Fiber & { memoizedState: { isDehydrated: boolean } } } }>;

/** Whether the app has taken over the page, which the server may have drawn. */
const isStarted = (page: Page) =>
  page.evaluate(() => {
    const root = document.getElementById("root") as unknown as Container;
    const key = Object.keys(root).find((name) => name.startsWith("__reactContainer")) ?? "";
    return root[key]?.stateNode.current.memoizedState.isDehydrated === false;
  });

/** Returns the elements whose text differs from what the app has rendered last. */
const staleTexts = (page: Page) =>
  page.evaluate(() => {
    // React's numbers for its kinds of nodes.
    const [PORTAL, HOST, TEXT, HOISTED] = [4, 5, 6, 26];
    const stale: string[] = [];
    const children = (fiber: Fiber) => {
      const list: Fiber[] = [];
      for (let child = fiber.child; child; child = child.sibling) list.push(child);
      return list;
    };

    /** Elements rendered into another part of the page, which are no part of the text of the element around them. */
    const portals = new Set<Node>();
    const findPortals = (fiber: Fiber, inPortal: boolean) => {
      if (inPortal && fiber.tag === HOST) portals.add(fiber.stateNode);
      const isInPortal = fiber.tag === PORTAL || (inPortal && fiber.tag !== HOST);
      for (const child of children(fiber)) findPortals(child, isInPortal);
    };
    const textOf = (node: Node): string =>
      node instanceof Text
        ? node.data
        : [...node.childNodes].map((child) => (portals.has(child) ? "" : textOf(child))).join("");

    /** Returns the text that the app has rendered inside a node of React's tree. */
    const expectedText = (fiber: Fiber): string => {
      if (fiber.tag === TEXT) return String(fiber.memoizedProps);
      let inside = "";
      for (const child of children(fiber)) {
        const text = expectedText(child);
        if (child.tag !== PORTAL && child.tag !== HOISTED) inside += text;
      }
      if (fiber.tag !== HOST) return inside;
      const actual = textOf(fiber.stateNode);
      const { children: content } = fiber.memoizedProps as { children?: unknown };
      // Without children in React's tree: one text, or content that React does not manage.
      const isText = typeof content === "string" || typeof content === "number";
      const expected = fiber.child ? inside : isText ? String(content) : actual;
      if (expected !== actual) stale.push(`${actual} ≠ ${expected}`);
      return actual;
    };

    const root = document.getElementById("root") as unknown as Container;
    const key = Object.keys(root).find((name) => name.startsWith("__reactContainer")) ?? "";
    // Of a fiber and its alternate, the one that its root names as current.
    const current = root[key]?.stateNode.current;
    if (!current) return ["The app has not started."];
    findPortals(current, false);
    expectedText(current);
    return stale;
  });

/** Waits until each text on the page is the one that the app has rendered last. */
export const expectCurrentTexts = (page: Page) =>
  expect
    .poll(() => staleTexts(page), { message: `texts that stayed behind on ${page.url()}`, intervals: [50, 100, 250] })
    .toEqual([]);

/** Switches the app's language, also behind an open dialog. Returns whether the screen has the choice. */
const switchLanguage = (page: Page, language: string) =>
  page.evaluate((language) => {
    const choice = document.querySelector<HTMLElement>(
      `input[type=radio][value=${language}], #root button[lang=${language}]`,
    );
    choice?.click();
    return choice !== null;
  }, language);

/**
 * Translates the screen and inserts elements into it, changes all its texts twice, and leaves it for another one. Fails if
 * a text stays behind or an error replaces the page. `oops` is the title of that error.
 */
export async function expectToBearChanges(page: Page, language: "en" | "it", oops: string): Promise<void> {
  await expect.poll(() => isStarted(page), `the app has started on ${page.url()}`).toBe(true);
  await page.evaluate(translateDocument);
  await page.evaluate(extendDocument);
  const switched = await switchLanguage(page, language === "en" ? "it" : "en");
  if (switched) {
    await expectCurrentTexts(page);
    await switchLanguage(page, language);
  }
  await expectCurrentTexts(page);
  await expect(page.getByText(oops)).toHaveCount(0);
  await page.evaluate(() => {
    history.pushState(null, "", "/no-such-page");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await expectCurrentTexts(page);
  await expect(page.getByText(oops)).toHaveCount(0);
}
