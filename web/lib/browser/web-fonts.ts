const FONTS = ['1em "Source Sans 3 Variable"', '1em "Literata Variable"'];

/** Elements that change in one frame: few enough that a phone lays them out in time. */
const AT_ONCE = 60;

/**
 * Loads the web fonts and uses them on a page that was served with system fonts. They are applied from the top to the
 * bottom, some parts in each frame, because a phone is busy for a fifth of a second when the whole page changes at once.
 */
export async function applyWebFonts(): Promise<void> {
  await Promise.allSettled(FONTS.map((font) => document.fonts.load(font)));
  let changed = 0;
  for (const part of partsOf(document.body)) {
    const size = sizeOf(part);
    if (changed + size > AT_ONCE) {
      await new Promise(requestAnimationFrame);
      changed = 0;
    }
    changed += size;
    part.dataset.fonts = getComputedStyle(part).fontFamily.includes("Literata") ? "serif" : "sans";
  }
  // Everything between the parts, and what has come since.
  delete document.body.dataset.fonts;
}

const sizeOf = (element: HTMLElement) => element.getElementsByTagName("*").length + 1;

/** The largest parts of an element, from its top, that can change in one frame. */
function partsOf(element: HTMLElement): HTMLElement[] {
  const children = [...element.children].filter((child) => child instanceof HTMLElement);
  return children.length === 0 || sizeOf(element) <= AT_ONCE ? [element] : children.flatMap(partsOf);
}
