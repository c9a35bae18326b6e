import { z } from "zod";
import { EmailRequest } from "../../../shared/email.ts";

/** The most characters of somebody's own words in an invitation. */
export const NOTE_LIMIT = 1000;

/** What the form of an invitation holds; its messages are those of Spec §5. */
export const InviteFields = z.object({
  email: EmailRequest.shape.toEmail,
  role: z.enum(["viewer", "contributor", "co-owner"]),
  note: z.string().max(NOTE_LIMIT),
});
export type InviteFields = z.infer<typeof InviteFields>;
export const NO_INVITE: InviteFields = { email: "", role: "viewer", note: "" };
