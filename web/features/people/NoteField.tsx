import { type ComponentProps, useId } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { EmailRequest } from "../../../shared/email.ts";

/** A few words that go along with an invitation. */
export function NoteField(textarea: ComponentProps<"textarea">) {
  const { t } = useTranslation("people");
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {t("invite.note")}
      </label>
      <textarea
        id={id}
        rows={2}
        maxLength={NOTE_LIMIT}
        className="field-sizing-content min-h-20 w-full rounded-xl border border-edge bg-raised px-4 py-3 text-base transition-colors duration-200 ease-out hover:border-deep"
        {...textarea}
      />
    </div>
  );
}

/** The most characters of somebody's own words in an invitation. */
const NOTE_LIMIT = 1000;

/** What the form of an invitation holds; its messages are those of Spec §5. */
export const InviteFields = z.object({
  email: EmailRequest.shape.toEmail,
  role: z.enum(["viewer", "contributor", "co-owner"]),
  note: z.string().max(NOTE_LIMIT),
});
export type InviteFields = z.infer<typeof InviteFields>;
export const NO_INVITE: InviteFields = { email: "", role: "viewer", note: "" };
