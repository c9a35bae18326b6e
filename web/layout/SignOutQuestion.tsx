import { useState } from "react";
import { useTranslation } from "react-i18next";
import { signOut } from "../features/account/sign-out.ts";
import { paths } from "../paths.ts";
import { ConfirmDialog } from "../ui/Dialog.tsx";

/** Asks before a sign-out deletes what was not sent yet. */
export default function SignOutQuestion({ unsent, onClosed }: { unsent: number; onClosed: () => void }) {
  const { t } = useTranslation("outbox");
  const [busy, setBusy] = useState(false);
  const leave = () => {
    setBusy(true);
    void signOut(paths.login());
  };
  return (
    <ConfirmDialog
      open
      title={t("signOutTitle")}
      description={t("signOutText", { count: unsent })}
      onOpenChange={(open) => !open && onClosed()}
      confirm={t("signOut")}
      cancel={t("stay")}
      busy={busy}
      failure={undefined}
      onConfirm={leave}
    />
  );
}
