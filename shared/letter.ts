import { z } from "zod";

/** The request that opens a letter. `key` is what stands behind the `#` of its link. */
export const OpenLetter = z.object({ key: z.string().regex(/^[0-9a-f]{64}$/) });

/** An opened letter. The token is valid for `expiresIn` seconds, or until the letter ends or has another link. */
export interface OpenedLetter {
  token: string;
  expiresIn: number;
  id: string;
  version: number;
}
