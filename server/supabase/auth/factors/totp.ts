import { Secret, TOTP } from "otpauth";
import { toString as qrCode } from "qrcode";

/** In seconds; all authenticator apps use it. */
const PERIOD = 30;

/** A secret for an authenticator app, in base32, with the address that adds it to the app. */
export function newTotp({ issuer, label }: { issuer: string; label: string }) {
  const secret = new Secret({ size: 20 });
  return { secret: secret.base32, uri: new TOTP({ issuer, label, secret, period: PERIOD }).toString() };
}

/** The time step of a code, or undefined. One step before and after counts: clocks differ and people type slowly. */
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

/** A QR code as SVG. The client uses it in a data URL without encoding it, where a # would end the data. */
export const qrSvg = async (uri: string): Promise<string> =>
  (await qrCode(uri, { type: "svg", errorCorrectionLevel: "M", margin: 4 }))
    .replaceAll("#ffffff", "white")
    .replaceAll("#000000", "black")
    .trim();
