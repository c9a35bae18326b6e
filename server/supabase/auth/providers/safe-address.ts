const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Whether an address is on this very machine, where nobody listens along. */
export const isLoopback = (address: string) => LOOPBACK.includes(new URL(address).hostname);

/** Throws where what is said at an address could be heard, or answered, by others. */
export function requireSafe(address: string) {
  const { protocol } = new URL(address);
  if (protocol === "https:" || (protocol === "http:" && isLoopback(address))) return;
  throw new Error(`A provider of sign-ins must be at an https address: ${address}`);
}
