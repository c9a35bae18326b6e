/**
 * Resolves to whether the server has another build of the app than this page. Without a network there is no answer, and
 * the build counts as the same.
 */
export async function isNewBuild(): Promise<boolean> {
  const script = document.querySelector("script[type=module][src]")?.getAttribute("src");
  if (!script) return false;
  try {
    const response = await fetch("/index.html", { cache: "no-store" });
    return response.ok && !(await response.text()).includes(script);
  } catch {
    return false;
  }
}
