import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { FastifyHelmetOptions } from "@fastify/helmet";

interface HeaderSettings {
  /** The web app's files; absent while a development server serves them. */
  webFolder?: string;
  /** Scripts by address that may come from their own origins. */
  widgets: string[];
  /** Where events of visitors go who have agreed, by address. */
  collectors: string[];
  /** The address that people reach the server by, where it is known. */
  publicUrl?: string;
  isProduction: boolean;
}

/** Headers that tell browsers what a page and a file of the server may do. */
export const securityHeaders = ({
  webFolder,
  widgets,
  collectors,
  publicUrl,
  isProduction,
}: HeaderSettings): FastifyHelmetOptions => ({
  contentSecurityPolicy: contentSecurity({ webFolder, widgets, collectors, publicUrl }),
  // The same as `frame-ancestors 'none'`, for browsers that do not read it.
  xFrameOptions: { action: "deny" },
  // Over plain HTTP it means nothing, and on a developer's machine it would hold for every other project there.
  strictTransportSecurity: isProduction && { maxAge: 365 * 86_400, includeSubDomains: false },
  // Sign-in leads to the provider and back in the same window, so no window of ours needs its opener.
  crossOriginOpenerPolicy: { policy: "same-origin" },
  crossOriginResourcePolicy: { policy: "same-origin" },
  // The address of a page may hold a share id.
  referrerPolicy: { policy: "no-referrer" },
});

/** Features that no page uses, and those that our own pages do: the desk's bench reads cards with a camera; visitors scan them in the telephone's own app. Videos may fill the screen, and slideshows and uploads keep it on. */
export const PERMISSIONS_POLICY = [
  "accelerometer",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "identity-credentials-get",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb",
  "xr-spatial-tracking",
]
  .map((feature) => `${feature}=()`)
  .concat("camera=(self)", "fullscreen=(self)", "screen-wake-lock=(self)")
  .join(", ");

interface PageSources {
  /** Where the built web app is. */
  webFolder?: string;
  /** Scripts by address, which may come from their own origins and open frames there. */
  widgets?: string[];
  /** What the web app calls elsewhere, by address. */
  collectors?: string[];
  /** The address that the web app calls, where it is not the page's own. */
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
      // The menus, dialogs and notices of the interface libraries place style elements of their own.
      "style-src": ["'self'", "'unsafe-inline'"],
      "img-src": ["'self'", "data:", "blob:"],
      "media-src": ["'self'", "blob:"],
      "font-src": ["'self'"],
      // Some browsers do not take 'self' to cover web sockets.
      "connect-src": ["'self'", ownSocket, ...(publicUrl ? originsOf(publicUrl) : []), ...originsElsewhere(collectors)],
      "worker-src": ["'self'", "blob:"],
      "object-src": ["'none'"],
      "base-uri": ["'none'"],
      "form-action": ["'self'"],
      "frame-ancestors": ["'none'"],
    },
  };
}

/** The origins of those that are addresses; paths are this origin's own. */
const originsElsewhere = (urls: string[]) => urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin);

/** The web sockets of the host that the request names. One that is no host would add to the policy. */
const ownSocket = ({ headers: { host = "" } }: IncomingMessage) =>
  /^[\w.:[\]-]+$/.test(host) ? `ws://${host} wss://${host}` : "'self'";

function originsOf(url: string): string[] {
  const { origin, protocol, host } = new URL(url);
  return [origin, `${protocol === "https:" ? "wss" : "ws"}://${host}`];
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
