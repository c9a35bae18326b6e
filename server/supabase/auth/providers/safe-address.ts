const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Whether a URL leads to this machine, where nobody can intercept the request. */
export const isLoopback = (address: string) => LOOPBACK.includes(new URL(address).hostname);

/** Throws if requests to a URL could be intercepted. */
export function requireSafe(address: string) {
  const { protocol } = new URL(address);
  if (protocol === "https:" || (protocol === "http:" && isLoopback(address))) return;
  throw new Error(`A provider of sign-ins must be at an https address: ${address}`);
}
