import { z } from "zod";

/** What `unsubscribe` takes as JSON: the token of an email's link, and whether its address wants no more such emails. */
export const UnsubscribeRequest = z.object({ token: z.string().max(1000), unsubscribed: z.boolean().default(true) });

/** What holds from now on. */
export interface UnsubscribeReply {
  email: string;
  unsubscribed: boolean;
}

/** The address in an email's token, for the page to show; only the server can verify the token. */
export function addressIn(token: string): string | undefined {
  const [hex = ""] = token.split(".");
  if (!/^([0-9a-f]{2})+$/.test(hex)) return undefined;
  try {
    const address = decodeURIComponent(hex.replace(/../g, "%$&"));
    return address.includes("@") ? address : undefined;
  } catch {
    // Bytes that are no UTF-8.
    return undefined;
  }
}
