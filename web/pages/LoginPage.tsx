import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { AccountShell } from "../features/account/AccountShell.tsx";
import { AddressForm } from "../features/account/AddressForm.tsx";
import type { MailPurpose } from "../features/account/account.queries.ts";
import { CheckInbox } from "../features/account/CheckInbox.tsx";
import { PasswordForm } from "../features/account/PasswordForm.tsx";
import { RedirectSignedIn } from "../features/account/RedirectSignedIn.tsx";
import { SocialButtons } from "../features/account/SocialButtons.tsx";
import { hasExpired } from "../lib/session/ended-session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";

type Step = "password" | "link" | { email: string; purpose: MailPurpose };

/**
 * Returns the first step. The link of an email opens the step that asks for the email's code; it contains the address
 * in the URL's fragment, which browsers do not send to servers.
 */
function mailedStep(): Step {
  const email = new URLSearchParams(location.hash.slice(1)).get("email");
  return email ? { email, purpose: "link" } : "password";
}

/** /login: sign-in by password, emailed link or external provider, then by the second factor if there is one. */
export default function LoginPage() {
  const { t } = useTranslation("account");
  const [expired] = useState(hasExpired);
  const [step, setStep] = useState<Step>(mailedStep);
  if (typeof step === "object") {
    return (
      <RedirectSignedIn>
        <CheckInbox {...step} onBack={() => setStep(step.purpose === "link" ? "link" : "password")} />
      </RedirectSignedIn>
    );
  }
  const byLink = step === "link";
  const text = (
    <p>
      {byLink ? t("link.text") : t("login.text")} {t("login.other")}{" "}
      <Link to={paths.register()}>{t("login.register")}</Link>
    </p>
  );
  return (
    <RedirectSignedIn>
      <AccountShell title={t("login.title")} text={text}>
        {expired && (
          <p role="status" className="rounded-xl bg-wash px-4 py-3">
            {t("login.expired")}
          </p>
        )}
        {byLink ? (
          <AddressForm
            purpose="link"
            submit={t("link.submit")}
            onSent={(email) => setStep({ email, purpose: "link" })}
          />
        ) : (
          <PasswordForm onUnconfirmed={(email) => setStep({ email, purpose: "signup" })} />
        )}
        <div className="flex flex-wrap gap-x-2 gap-y-1">
          <Button variant="plain" className="-ms-5" onClick={() => setStep(byLink ? "password" : "link")}>
            {byLink ? t("link.back") : t("link.offer")}
          </Button>
          <Button asChild variant="plain" className="max-sm:-ms-5">
            <Link to={paths.forgottenPassword()}>{t("login.forgotten")}</Link>
          </Button>
        </div>
        <SocialButtons />
      </AccountShell>
    </RedirectSignedIn>
  );
}
