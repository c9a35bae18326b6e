import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextField } from "../../../ui/TextField.tsx";

interface SchedulePostProps {
  open: boolean;
  onClose: () => void;
  /** With the moment, ISO 8601. */
  onChosen: (moment: string) => void;
}

/** Asks when a post is to appear. */
export function SchedulePost({ open, onClose, onChosen }: SchedulePostProps) {
  const { t } = useTranslation("adminBlog");
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const moment = new Date(String(new FormData(event.currentTarget).get("moment") ?? ""));
    const fits = moment.getTime() > Date.now();
    setWrong(!fits);
    if (fits) onChosen(moment.toISOString());
  };
  return (
    <Dialog
      title={t("schedule.title")}
      description={t("schedule.text")}
      open={open}
      onOpenChange={(next) => !next && onClose()}
    >
      <Form onSubmit={submit}>
        <TextField
          name="moment"
          type="datetime-local"
          label={t("schedule.field")}
          error={wrong ? t("schedule.wrong") : undefined}
        />
        <SubmitButton size="medium" className="justify-self-end">
          {t("schedule.submit")}
        </SubmitButton>
      </Form>
    </Dialog>
  );
}
