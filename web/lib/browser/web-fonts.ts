const FONTS = ['1em "Source Sans 3 Variable"', '1em "Literata Variable"'];

/** Elements of a part: few enough that a phone lays them out again between two frames. */
const AT_ONCE = 60;

/**
 * Loads the web fonts and uses them on a page that was served with system fonts. They are applied from the top to the
 * bottom, a part in each frame, because a phone is busy for a fifth of a second when the whole page changes at once.
 */
export async function applyWebFonts(): Promise<void> {
  await Promise.allSettled(FONTS.map((font) => document.fonts.load(font)));
  for (const part of partsOf(document.body)) {
    part.dataset.fonts = getComputedStyle(part).fontFamily.includes("Literata") ? "serif" : "sans";
    await new Promise(requestAnimationFrame);
  }
  // Everything between the parts, and what has come since.
  delete document.body.dataset.fonts;
}

function partsOf(element: HTMLElement): HTMLElement[] {
  const children = [...element.children].filter((child) => child instanceof HTMLElement);
  if (children.length === 0 || element.getElementsByTagName("*").length <= AT_ONCE) return [element];
  return children.flatMap(partsOf);
}
