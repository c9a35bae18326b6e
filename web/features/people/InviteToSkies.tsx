import { zodResolver } from "@hookform/resolvers/zod";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { typedAddress } from "../../../shared/typed-address.ts";
import { addressProblem } from "../../actions/emails/send-email.ts";
import { useUser } from "../../lib/session/session.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { useEmailFailure, useInvitationEmails } from "./emails/use-invitation-emails.ts";
import { useMailPlatformInvitation } from "./invitations.queries.ts";
import { NoteField, PlatformFields } from "./NoteField.tsx";
import { useSendResult } from "./use-send-result.ts";

/** Renders the button that opens the form for inviting a person to Skies. */
export function InviteToSkies() {
  const { t } = useTranslation("people");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={UserPlus} variant="quiet" onClick={() => setOpen(true)}>
        {t("platform.title")}
      </Button>
      <Dialog title={t("platform.title")} description={t("platform.text")} open={open} onOpenChange={setOpen}>
        <PlatformForm onSent={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function PlatformForm({ onSent }: { onSent: () => void }) {
  const { t } = useTranslation("people");
  const { email: inviterEmail } = useUser();
  const emails = useInvitationEmails();
  const failure = useEmailFailure();
  const { sent } = useSendResult();
  const mail = useMailPlatformInvitation();
  const form = useForm({
    resolver: zodResolver(PlatformFields),
    defaultValues: { email: "", note: "" },
  });
  const { email: emailError } = form.formState.errors;
  const invite = form.handleSubmit(({ email: typed, note }) => {
    const email = typedAddress(typed);
    if (mail.isPending) return;
    const problem = addressProblem(email, inviterEmail);
    if (problem) return form.setError("email", { message: problem });
    mail.mutate(emails.platform({ toEmail: email, note }), {
      onSuccess: (result) => {
        sent(result, email);
        onSent();
      },
    });
  });
  return (
    <Form onSubmit={invite} error={mail.isError ? new Error(failure(mail.error) ?? t("invite.failed")) : null}>
      <TextField
        label={t("invite.email")}
        type="email"
        autoComplete="off"
        error={emailError && failure(new Error(emailError.message))}
        {...form.register("email")}
      />
      <NoteField {...form.register("note")} />
      <SubmitButton size="medium" className="justify-self-start" busy={mail.isPending}>
        {t("invite.submit")}
      </SubmitButton>
    </Form>
  );
}
