import { isOwnPage } from "../request/own-answer.ts";

/**
 * Resolves to whether the server has another build of the app than this page. Without a network there is no answer, and
 * the build counts as the same.
 */
export async function isNewBuild(): Promise<boolean> {
  const script = document.querySelector("script[type=module][src]")?.getAttribute("src");
  if (!script) return false;
  try {
    const response = await fetch("/index.html", { cache: "no-store" });
    const html = await response.text();
    return response.ok && isOwnPage(html) && !html.includes(script);
  } catch {
    return false;
  }
}
