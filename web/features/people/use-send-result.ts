import { useTranslation } from "react-i18next";
import type { SendResult } from "../../actions/emails/send-email.ts";
import { toast } from "../../ui/toasts.tsx";
import { useEmailFailure } from "./emails/use-invitation-emails.ts";

/** Returns functions that show the success or failure of an invitation's email in a toast. */
export function useSendResult() {
  const { t } = useTranslation("people");
  const failure = useEmailFailure();
  return {
    sent: (result: SendResult, email: string) =>
      toast({
        title: t(`sent.${result}`),
        description: result === "skipped" ? t("sent.skippedText", { email }) : undefined,
        tone: result === "skipped" ? "info" : "success",
      }),
    notSent: (error: unknown) =>
      toast({ title: t("sent.notSent"), description: failure(error) ?? t("invite.failed"), tone: "problem" }),
  };
}
