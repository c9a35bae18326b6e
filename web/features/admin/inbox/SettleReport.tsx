import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../../lib/request/supabase.ts";
import { useUser } from "../../../lib/session/session.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { type Decision, type ReportFacts, useInboxAct } from "./inbox.queries.ts";

interface SettleReportProps {
  id: string;
  report: ReportFacts;
}

/** The possible decisions about a report. */
export function SettleReport({ id, report }: SettleReportProps) {
  const { t } = useTranslation("adminInbox");
  const { role } = useUser();
  const [deciding, setDeciding] = useState<Decision>();
  const decisions: Decision[] = report.outcome
    ? ["reopen"]
    : [
        ...(report.kind !== "memory" && ["shown", "held"].includes(report.item_state) ? (["hide"] as const) : []),
        ...(report.owner ? (["ask"] as const) : []),
        ...(role === "admin" && (report.owner || report.author) ? (["suspend"] as const) : []),
        "nothing",
      ];
  return (
    <div className="flex flex-wrap gap-2">
      {decisions.map((decision) => (
        <Button
          key={decision}
          size="small"
          variant={decision === "suspend" ? "danger" : "quiet"}
          onClick={() => setDeciding(decision)}
        >
          {t(`decisions.${decision}.open`)}
        </Button>
      ))}
      {deciding && <Decide id={id} report={report} decision={deciding} onClose={() => setDeciding(undefined)} />}
    </div>
  );
}

/** Errors with a specific text. */
const REFUSALS = ["conflict", "own_account"] as const;

function Decide({ id, report, decision, onClose }: SettleReportProps & { decision: Decision; onClose: () => void }) {
  const { t } = useTranslation("adminInbox");
  const act = useInboxAct(supabase, id);
  const [missing, setMissing] = useState(false);
  const people = [
    ...(report.author ? [[report.author.id, t("whose.author", report.author)] as const] : []),
    ...(report.owner && report.owner.id !== report.author?.id
      ? [[report.owner.id, t("whose.owner", report.owner)] as const]
      : []),
  ];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    setMissing(!text("reason"));
    if (!text("reason") || act.isPending) return;
    act.mutate(
      {
        decision,
        reason: text("reason"),
        message: text("words"),
        ...(decision === "suspend" ? { person: text("person") } : {}),
      },
      {
        onSuccess: () => {
          toast({ title: t(`decisions.${decision}.done`), tone: "success" });
          onClose();
        },
      },
    );
  };
  const refusal = REFUSALS.find((code) => code === act.error?.cause);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(`decisions.${decision}.open`)}
      description={t(`decisions.${decision}.text`)}
    >
      <Form onSubmit={submit} error={act.error && new Error(t(refusal ? `refusals.${refusal}` : "changeFailed"))}>
        {decision === "suspend" && <SelectField name="person" label={t("whose.label")} options={people} />}
        {(decision === "hide" || decision === "ask") && (
          <TextArea name="words" label={t("toOwner")} maxLength={5000} className="w-full" />
        )}
        <TextArea
          name="reason"
          label={t("reason")}
          maxLength={2000}
          className="w-full"
          {...(missing ? { error: t("reasonMissing") } : {})}
        />
        <SubmitButton
          size="medium"
          variant={decision === "suspend" ? "danger" : "primary"}
          busy={act.isPending}
          className="justify-self-end px-6"
        >
          {t(`decisions.${decision}.open`)}
        </SubmitButton>
      </Form>
    </Dialog>
  );
}
