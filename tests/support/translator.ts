import type { Page } from "@playwright/test";

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

/** Returns the elements whose visible text differs from what the app has rendered last. */
export const staleTexts = (page: Page) =>
  page.evaluate(() => {
    interface Fiber {
      tag: number;
      child: Fiber | null;
      sibling: Fiber | null;
      stateNode: Element;
      memoizedProps: { children?: unknown; dangerouslySetInnerHTML?: unknown } | string;
    }
    const [PORTAL, HOST, TEXT, HOISTED] = [4, 5, 6, 26];
    const stale: string[] = [];
    /** The texts that the app has rendered inside a node of React's tree. */
    const textIn = (fiber: Fiber): string => {
      if (fiber.tag === TEXT) return String(fiber.memoizedProps);
      let inside = "";
      for (let child = fiber.child; child; child = child.sibling) {
        const text = textIn(child);
        if (child.tag !== PORTAL && child.tag !== HOISTED) inside += text;
      }
      if (fiber.tag !== HOST) return inside;
      const actual = fiber.stateNode.textContent ?? "";
      const { children } = fiber.memoizedProps as { children?: unknown };
      // Without children in React's tree: one text, or content that React does not manage.
      const expected = fiber.child
        ? inside
        : ["string", "number"].includes(typeof children)
          ? String(children)
          : actual;
      if (expected !== actual) stale.push(`${actual} ≠ ${expected}`);
      return actual;
    };
    const root = document.getElementById("root");
    const key = Object.keys(root ?? {}).find((name) => name.startsWith("__reactContainer"));
    if (!root || !key) return ["The app has not started."];
    const host = (root as unknown as Record<string, Fiber>)[key] as Fiber;
    // Of a fiber and its alternate, the one that its root names as current.
    textIn((host.stateNode as unknown as { current: Fiber }).current);
    return stale;
  });
