import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The Content-Security-Policy of the web app in `webFolder`: its own files, the scripts that stand in its page, and the
 * `widgets`, scripts by address that may come from their own origins and open frames there.
 */
export function contentSecurity(webFolder?: string, widgets: string[] = []) {
  const page = webFolder && join(webFolder, "index.html");
  const html = page && existsSync(page) ? readFileSync(page, "utf8") : "";
  const origins = widgets.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin);
  return {
    useDefaults: false,
    directives: {
      "default-src": ["'self'"],
      "script-src": ["'self'", ...inlineScriptHashes(html), ...origins],
      "frame-src": ["'self'", ...origins],
      // The menus, dialogs and notices of the interface libraries place style elements of their own.
      "style-src": ["'self'", "'unsafe-inline'"],
      "img-src": ["'self'", "data:", "blob:"],
      "media-src": ["'self'", "blob:"],
      "font-src": ["'self'"],
      // Some browsers do not take 'self' to cover web sockets.
      "connect-src": ["'self'", "ws:", "wss:"],
      "worker-src": ["'self'", "blob:"],
      "object-src": ["'none'"],
      "base-uri": ["'none'"],
      "form-action": ["'self'"],
      "frame-ancestors": ["'none'"],
    },
  };
}

/** The sources that let exactly the inline scripts of a page run. */
export function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script]) =>
      `'sha256-${createHash("sha256")
        .update(script ?? "")
        .digest("base64")}'`,
  );
}
