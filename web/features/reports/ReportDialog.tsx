import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { isMailable } from "../../../shared/credentials.ts";
import { LONGEST_REPORT, REASONS, type Report, type ReportReason } from "../../../shared/report.ts";
import type { Reported } from "../../lib/browser/reporting.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { RadioLines } from "../../ui/RadioLines.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextField } from "../../ui/TextField.tsx";

interface ReportDialogProps {
  client: SupabaseClient;
  what: Reported;
  onClosed: () => void;
}

/** Renders the form that reports content to the people who run the site. */
export default function ReportDialog({ client, what, onClosed }: ReportDialogProps) {
  const { t } = useTranslation("reports");
  const send = useSendReport(client);
  const [reason, setReason] = useState<ReportReason>("hurtful");
  const [text, setWords] = useState("");
  const [email, setEmail] = useState("");
  const [checked, setChecked] = useState(false);
  const wrongEmail = email.trim() !== "" && !isMailable(email.trim());
  const tooLong = text.trim().length > LONGEST_REPORT;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (wrongEmail || tooLong || send.isPending) return;
    send.mutate({ ...what, reason, words: text, ...(email.trim() && { email: email.trim() }) });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClosed()}
      title={send.isSuccess ? t("sentTitle") : t("title")}
      description={send.isSuccess ? undefined : t("text")}
    >
      {send.isSuccess ? (
        <div className="grid gap-5">
          <p role="status">{t("sentText")}</p>
          <Button size="large" onClick={onClosed}>
            {t("close")}
          </Button>
        </div>
      ) : (
        <Form onSubmit={submit} error={send.error && new Error(t(send.error.why))}>
          <RadioLines
            label={t("reason")}
            options={REASONS.map((reason) => ({ value: reason, label: t(`reasons.${reason}`) }))}
            value={reason}
            onChange={setReason}
          />
          <TextArea
            label={t("words")}
            rows={4}
            value={text}
            onChange={(event) => setWords(event.target.value)}
            error={tooLong ? t("tooLong") : undefined}
          />
          <TextField
            label={t("email")}
            type="email"
            inputMode="email"
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={checked && wrongEmail ? t("emailWrong") : undefined}
          />
          <SubmitButton busy={send.isPending}>{t("submit")}</SubmitButton>
        </Form>
      )}
    </Dialog>
  );
}

/** An error if a report could not be sent. */
class ReportFailure extends Error {
  constructor(
    readonly why: "tooMany" | "failed",
    cause: unknown,
  ) {
    super("Failed to send the report", { cause });
  }
}

/** Returns a mutation that sends a report with the reader's permissions. It rejects with `ReportFailure`. */
const useSendReport = (client: SupabaseClient) =>
  useMutation<void, ReportFailure, Report>({
    mutationFn: async (body) => {
      const { error, response } = await client.functions.invoke("report", { body });
      if (error) throw new ReportFailure(response?.status === 429 ? "tooMany" : "failed", error);
    },
  });
