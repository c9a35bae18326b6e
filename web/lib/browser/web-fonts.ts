const FONTS = ['1em "Source Sans 3 Variable"', '1em "Literata Variable"'];

/** Maximum number of elements that change in one frame, so that a phone can lay them out in time. */
const AT_ONCE = 60;

/**
 * Loads the web fonts and applies them to a page that was served with system fonts, from top to bottom, some parts per
 * frame. Changing the whole page at once would block a phone for a fifth of a second.
 */
export async function applyWebFonts(): Promise<void> {
  await Promise.allSettled(FONTS.map((font) => document.fonts.load(font)));
  let changedSize = 0;
  for (const part of partsOf(document.body)) {
    const size = sizeOf(part);
    if (changedSize + size > AT_ONCE) {
      await new Promise(requestAnimationFrame);
      changedSize = 0;
    }
    changedSize += size;
    part.dataset.fonts = getComputedStyle(part).fontFamily.includes("Literata") ? "serif" : "sans";
  }
  // Applies the fonts to the rest: elements between the parts, and elements added since.
  delete document.body.dataset.fonts;
}

const sizeOf = (element: HTMLElement) => element.getElementsByTagName("*").length + 1;

/** Splits an element, from its top, into the largest parts that can change in one frame. */
function partsOf(element: HTMLElement): HTMLElement[] {
  const children = [...element.children].filter((child) => child instanceof HTMLElement);
  return children.length === 0 || sizeOf(element) <= AT_ONCE ? [element] : children.flatMap(partsOf);
}
