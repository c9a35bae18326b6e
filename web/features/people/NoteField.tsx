import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { EmailRequest } from "../../../shared/email.ts";
import { TextArea } from "../../ui/TextArea.tsx";

/** Renders the field for a personal note in an invitation. */
export function NoteField(textarea: ComponentProps<"textarea">) {
  const { t } = useTranslation("people");
  return <TextArea label={t("invite.note")} rows={2} maxLength={NOTE_LIMIT} {...textarea} />;
}

/** The maximum length of a personal note in an invitation. */
const NOTE_LIMIT = 1000;

/** The values of the form that invites to Skies, with the messages of Spec §5. */
export const PlatformFields = z.object({ email: EmailRequest.shape.toEmail, note: z.string().max(NOTE_LIMIT) });

/** The values of the form that invites to a memory. `email` may contain several addresses. */
export const InviteFields = z.object({
  email: z.string(),
  role: z.enum(["viewer", "contributor", "co-owner"]),
  language: z.enum(["en", "it"]),
  note: z.string().max(NOTE_LIMIT),
});
export type InviteFields = z.infer<typeof InviteFields>;
