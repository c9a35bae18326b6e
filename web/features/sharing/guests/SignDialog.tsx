import { useState } from "react";
import { useTranslation } from "react-i18next";
import { typedAddress } from "../../../../shared/typed-address.ts";
import type { OpenSession } from "../../../data/share-state.ts";
import { FunctionRefusal } from "../../../lib/request/call-function.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { signGuest } from "./sign-guest.ts";

interface SignDialogProps {
  shareId: string;
  session: OpenSession;
  onSigned: (session: OpenSession) => void;
  onClosed: () => void;
}

const LONGEST_NAME = 100;
const SIMPLE_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Renders the dialog that asks a visitor once for a name and, optionally, for an email address for receipts. */
export default function SignDialog({ shareId, session, onSigned, onClosed }: SignDialogProps) {
  const { t, i18n } = useTranslation("guests");
  const [name, setName] = useState(session.guest?.name ?? "");
  const [email, setEmail] = useState(session.guest?.email ?? "");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Error>();

  const nameMissing = name.trim() === "";
  const address = typedAddress(email);
  const emailWrong = address !== "" && !SIMPLE_EMAIL.test(address);

  const sign = async () => {
    if (busy) return;
    setTried(true);
    if (nameMissing || emailWrong) return;
    setBusy(true);
    try {
      const language = i18n.language.startsWith("it") ? "it" : "en";
      onSigned(await signGuest(shareId, session.token, { name, email: address || undefined, language }));
      onClosed();
    } catch (error) {
      const code = error instanceof FunctionRefusal ? error.code : undefined;
      const texts = { blocked: "blocked", too_many_guests: "tooMany", over_request_rate_limit: "tooMany" } as const;
      setRefused(new Error(t(`sign.${texts[code as keyof typeof texts] ?? "failed"}`)));
      setBusy(false);
    }
  };

  return (
    <Dialog open title={t("sign.title")} description={t("sign.text")} onOpenChange={(open) => !open && onClosed()}>
      <Form
        error={refused}
        onSubmit={(event) => {
          event.preventDefault();
          void sign();
        }}
      >
        <TextField
          data-begin-here
          label={t("sign.name")}
          hint={t("sign.nameHint")}
          error={tried && nameMissing ? t("sign.nameMissing") : undefined}
          value={name}
          maxLength={LONGEST_NAME}
          autoComplete="name"
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          type="email"
          label={t("sign.email")}
          hint={t("sign.emailHint")}
          error={tried && emailWrong ? t("sign.emailWrong") : undefined}
          value={email}
          autoComplete="email"
          onChange={({ target }) => setEmail(target.value)}
        />
        <SubmitButton busy={busy}>{t("sign.submit")}</SubmitButton>
      </Form>
    </Dialog>
  );
}
