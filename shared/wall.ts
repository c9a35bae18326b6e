import { z } from "zod";
import { typedShareId } from "./typed-text.ts";

/** The request that opens a wall on a screen. `wallId` is the identifier in the wall's address. */
export const OpenWall = z.object({ wallId: z.string().min(1).max(64).transform(typedShareId) });

/** An opened wall. The token is valid for `expiresIn` seconds, or until the wall is off or has another address. */
export interface OpenedWall {
  token: string;
  expiresIn: number;
  id: string;
  memoryId: string;
  version: number;
}
