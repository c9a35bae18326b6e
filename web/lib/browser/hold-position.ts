/** How long the page must have kept its height before the position counts as final, and the longest wait. */
const QUIET_MS = 2000;
const LONGEST_MS = 30_000;

/**
 * Scrolls to a position again whenever the page grows, because its parts load one after the other; until its height is
 * final, or the person moves or leaves the page.
 */
export function holdPosition(position: number) {
  const { pathname } = location;
  const ending = new AbortController();
  const { signal } = ending;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(quiet);
    clearTimeout(longest);
    growth.disconnect();
    ending.abort();
  };
  const longest = setTimeout(end, LONGEST_MS);
  const growth = new ResizeObserver(() => {
    if (location.pathname !== pathname) return end();
    scrollTo(0, position);
    clearTimeout(quiet);
    if (scrollY >= position - 1) quiet = setTimeout(end, QUIET_MS);
  });
  growth.observe(document.body);
  for (const event of ["wheel", "touchstart", "pointerdown", "keydown", "popstate"])
    addEventListener(event, end, { signal, capture: true, passive: true });
}
