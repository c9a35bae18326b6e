import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { AccountShell } from "../features/account/AccountShell.tsx";
import { AddressForm } from "../features/account/AddressForm.tsx";
import { CheckInbox } from "../features/account/CheckInbox.tsx";
import { RedirectSignedIn } from "../features/account/RedirectSignedIn.tsx";
import { paths } from "../paths.ts";

/** /forgotten-password: sends an email to reset the password. */
export default function ForgottenPasswordPage() {
  const { t } = useTranslation("account");
  const [sentTo, setSentTo] = useState<string>();
  return (
    <RedirectSignedIn to={paths.newPassword()}>
      {sentTo === undefined ? (
        <AccountShell title={t("forgotten.title")} text={<p>{t("forgotten.text")}</p>}>
          <AddressForm purpose="recovery" submit={t("forgotten.submit")} onSent={setSentTo} />
          <p className="text-ink-soft">
            {t("forgotten.other")} <Link to={paths.login()}>{t("forgotten.login")}</Link>
          </p>
        </AccountShell>
      ) : (
        <CheckInbox email={sentTo} purpose="recovery" onBack={() => setSentTo(undefined)} />
      )}
    </RedirectSignedIn>
  );
}
