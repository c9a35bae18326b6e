import type { FastifyHelmetOptions } from "@fastify/helmet";
import { contentSecurity } from "./content-security.ts";

interface HeaderSettings {
  /** The web app's files; absent while a development server serves them. */
  webFolder?: string;
  /** Scripts by address that may come from their own origins. */
  widgets: string[];
  /** The address that people reach the server by, where it is known. */
  publicUrl?: string;
  isProduction: boolean;
}

/** Headers that tell browsers what a page and a file of the server may do. */
export const securityHeaders = ({
  webFolder,
  widgets,
  publicUrl,
  isProduction,
}: HeaderSettings): FastifyHelmetOptions => ({
  contentSecurityPolicy: contentSecurity({ webFolder, widgets, publicUrl }),
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

/** Features that no page uses: cameras scan a card's code in the telephone's own app. Videos may fill the screen, and slideshows and uploads keep it on. */
export const PERMISSIONS_POLICY = [
  "accelerometer",
  "camera",
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
  .concat("fullscreen=(self)", "screen-wake-lock=(self)")
  .join(", ");
