import { z } from "zod";

/** Body of unsubscribe: the token of an email's link, and whether its address is to receive no more such emails. */
export const UnsubscribeRequest = z.object({ token: z.string().max(1000), unsubscribed: z.boolean().default(true) });

/** The state after the change. */
export interface UnsubscribeReply {
  email: string;
  unsubscribed: boolean;
}

/** Returns the address in an email's token, for display only: only the server can verify the token. */
export function addressIn(token: string): string | undefined {
  const [hex = ""] = token.split(".");
  if (!/^([0-9a-f]{2})+$/.test(hex)) return undefined;
  try {
    const address = decodeURIComponent(hex.replace(/../g, "%$&"));
    return address.includes("@") ? address : undefined;
  } catch {
    // The bytes are not valid UTF-8.
    return undefined;
  }
}
