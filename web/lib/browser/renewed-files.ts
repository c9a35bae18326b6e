/**
 * Requests the scripts of this page anew and then loads the page again. The browser may have stored half of one, and
 * would take it from its cache for a year.
 */
export async function reloadAnew(): Promise<void> {
  const files = performance.getEntriesByType("resource").filter(({ name }) => /\.js$/.test(name));
  await Promise.allSettled(files.map(({ name }) => fetch(name, { cache: "reload" })));
  location.reload();
}
