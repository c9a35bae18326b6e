import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { FastifyHelmetOptions } from "@fastify/helmet";

interface HeaderSettings {
  /** The folder of the web app; absent in development, when Vite serves it. */
  webFolder?: string;
  /** URLs of external scripts, which are loaded from their own origins. */
  widgets: string[];
  /** URLs of analytics services, used with the visitor's consent. */
  collectors: string[];
  /** The public URL, if configured. */
  publicUrl?: string;
  isProduction: boolean;
}

/** The security headers of pages and files. */
export const securityHeaders = ({
  webFolder,
  widgets,
  collectors,
  publicUrl,
  isProduction,
}: HeaderSettings): FastifyHelmetOptions => ({
  contentSecurityPolicy: contentSecurity({ webFolder, widgets, collectors, publicUrl }),
  // For old browsers; equivalent to `frame-ancestors 'none'`.
  xFrameOptions: { action: "deny" },
  // Meaningless over plain HTTP, and in development it would apply to every other project on the machine.
  strictTransportSecurity: isProduction && { maxAge: 365 * 86_400, includeSubDomains: false },
  // Sign-in at a provider stays in the same window, so no window needs its opener.
  crossOriginOpenerPolicy: { policy: "same-origin" },
  crossOriginResourcePolicy: { policy: "same-origin" },
  // A page's URL may contain a share id.
  referrerPolicy: { policy: "no-referrer" },
});

/**
 * Features that no page uses, and those that our own pages use: the desk scans cards with a camera, people record
 * voices, videos fill the screen, and slideshows and uploads keep it on. Visitors scan cards in their phone's own app.
 */
export const PERMISSIONS_POLICY = [
  "accelerometer",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "identity-credentials-get",
  "magnetometer",
  "midi",
  "payment",
  "serial",
  "usb",
  "xr-spatial-tracking",
]
  .map((feature) => `${feature}=()`)
  .concat("camera=(self)", "fullscreen=(self)", "microphone=(self)", "screen-wake-lock=(self)")
  .join(", ");

interface PageSources {
  /** The folder of the built web app. */
  webFolder?: string;
  /** URLs of external scripts. Their origins are allowed for scripts and frames. */
  widgets?: string[];
  /** URLs of other services that the web app calls. */
  collectors?: string[];
  /** The URL of the API, if its origin differs from the page's. */
  publicUrl?: string;
}

/** The Content-Security-Policy of the web app: its own files, the inline scripts of its page, and the widgets. */
export function contentSecurity({ webFolder, widgets = [], collectors = [], publicUrl }: PageSources = {}) {
  const page = webFolder && join(webFolder, "index.html");
  const html = page && existsSync(page) ? readFileSync(page, "utf8") : "";
  const origins = originsElsewhere(widgets);
  return {
    useDefaults: false,
    directives: {
      "default-src": ["'self'"],
      "script-src": ["'self'", ...inlineScriptHashes(html), ...origins],
      "frame-src": ["'self'", ...origins],
      // The libraries of menus, dialogs and notices insert style elements.
      "style-src": ["'self'", "'unsafe-inline'"],
      "img-src": ["'self'", "data:", "blob:"],
      "media-src": ["'self'", "blob:"],
      "font-src": ["'self'"],
      // Some browsers do not include web sockets in 'self'.
      "connect-src": ["'self'", ownSocket, ...(publicUrl ? originsOf(publicUrl) : []), ...originsElsewhere(collectors)],
      "worker-src": ["'self'", "blob:"],
      "object-src": ["'none'"],
      "base-uri": ["'none'"],
      "form-action": ["'self'"],
      "frame-ancestors": ["'none'"],
    },
  };
}

/** The origins of absolute URLs; relative paths need none. */
const originsElsewhere = (urls: string[]) => urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin);

/** The web socket origin of the request's host. An invalid host could extend the policy. */
const ownSocket = ({ headers: { host = "" } }: IncomingMessage) =>
  /^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'";

function originsOf(url: string): string[] {
  const { origin, protocol, host } = new URL(url);
  return [origin, `${protocol === "https:" ? "wss" : "ws"}://${host}`];
}

/** Hash sources that allow exactly a page's inline scripts. */
export function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script(?: data-gate)?>([\s\S]*?)<\/script>/g)].map(
    ([, script]) =>
      `'sha256-${createHash("sha256")
        .update(script ?? "")
        .digest("base64")}'`,
  );
}
