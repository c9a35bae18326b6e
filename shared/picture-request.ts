import { z } from "zod";
import { isMailable } from "./credentials.ts";

export const LONGEST_WISH = 500;

/** A wish about a picture that the sender can see, by somebody who is in it. */
export const NewPictureRequest = z.object({
  mediaId: z.guid(),
  wish: z.enum(["blur", "hide"]),
  words: z.string().trim().max(LONGEST_WISH).default(""),
  /** What a sender without an account is called. */
  name: z.string().trim().max(100).default(""),
  email: z.string().trim().max(254).refine(isMailable, "Invalid email format").optional(),
});
export type NewPictureRequest = z.input<typeof NewPictureRequest>;

/** A new wish, or the id of one that its sender takes back. Only its sender and the memory's managers know the id. */
export const PictureRequest = z.union([z.strictObject({ withdraw: z.guid() }), NewPictureRequest]);
