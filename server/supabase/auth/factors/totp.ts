import { Secret, TOTP } from "otpauth";
import { toString as qrCode } from "qrcode";

/** The length of a time step in seconds. All authenticator apps use this value. */
const PERIOD = 30;

/** Creates a base32 secret for an authenticator app, and the URI that adds it to the app. */
export function newTotp({ issuer, label }: { issuer: string; label: string }) {
  const secret = new Secret({ size: 20 });
  return { secret: secret.base32, uri: new TOTP({ issuer, label, secret, period: PERIOD }).toString() };
}

/**
 * Returns the time step of a code; undefined if the code is wrong. Also accepts one step before and after, because
 * clocks differ and people type slowly.
 */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  // The package throws on non-ASCII text.
  if (!/^\d{6}$/.test(code)) return undefined;
  const steps = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD }).validate({
    token: code,
    timestamp: now,
    window: 1,
  });
  return steps === null ? undefined : TOTP.counter({ period: PERIOD, timestamp: now }) + steps;
}

/** Renders a QR code as SVG without a #. The client puts it unencoded into a data URL, where a # would end the data. */
export const qrSvg = async (uri: string): Promise<string> =>
  (await qrCode(uri, { type: "svg", errorCorrectionLevel: "M", margin: 4 }))
    .replaceAll("#ffffff", "white")
    .replaceAll("#000000", "black")
    .trim();
