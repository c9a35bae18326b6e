import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { LONGEST_WISH } from "../../../../shared/picture-request.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";

interface DeclineDialogProps {
  onClose: () => void;
  /** Called with the words to the person who asked. */
  onDecline: (answer: string) => void;
}

/** Renders the dialog that declines a request, with a word to the person who asked. */
export function DeclineDialog({ onClose, onDecline }: DeclineDialogProps) {
  const { t } = useTranslation("notMe");
  const [answer, setAnswer] = useState("");
  const isTooLong = answer.trim().length > LONGEST_WISH;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isTooLong) onDecline(answer.trim());
  };
  return (
    <Dialog open title={t("declineTitle")} description={t("declineText")} onOpenChange={(open) => !open && onClose()}>
      <Form onSubmit={submit}>
        <TextArea
          label={t("answer")}
          value={answer}
          onChange={(event) => setAnswer(event.target.value)}
          error={isTooLong ? t("tooLong") : undefined}
        />
        <SubmitButton busy={false}>{t("decline")}</SubmitButton>
      </Form>
    </Dialog>
  );
}
