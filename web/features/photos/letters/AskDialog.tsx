import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AskRefusal, useAskAboutPhotos } from "../../../data/letters.queries.ts";
import type { Photo } from "../../../data/media.queries.ts";
import type { Memory } from "../../../data/memories.queries.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { LetterLink } from "./LetterLink.tsx";

interface AskDialogProps {
  client: SupabaseClient;
  memory: Pick<Memory, "id" | "person_name">;
  photos: readonly Photo[];
  onClose: () => void;
}

const REFUSALS = ["too_many_letters", "letter_photos"] as const;

/** Asks one person about the selected photos: first whom, then the link to send. */
export default function AskDialog({ client, memory, photos, onClose }: AskDialogProps) {
  const { t } = useTranslation("questions");
  const [recipient, setRecipient] = useState("");
  const [note, setNote] = useState("");
  const [isMissing, setMissing] = useState(false);
  const [id] = useState(() => crypto.randomUUID());
  const ask = useAskAboutPhotos(client, memory.id);
  const refusal = REFUSALS.find((code) => ask.error instanceof AskRefusal && ask.error.code === code);
  return (
    <Dialog
      open
      title={t("ask.title", { count: photos.length })}
      description={ask.data ? undefined : t("ask.text")}
      onOpenChange={onClose}
    >
      {ask.data ? (
        <div className="grid gap-5">
          <LetterLink letterKey={ask.data} recipient={recipient.trim()} note={note} memory={memory.person_name} />
          <Button variant="plain" className="justify-self-end" onClick={onClose}>
            {t("link.close")}
          </Button>
        </div>
      ) : (
        <Form
          error={ask.error && new Error(refusal ? t(`ask.refused.${refusal}`) : t("ask.failed"))}
          onSubmit={(event) => {
            event.preventDefault();
            if (recipient.trim() === "") return setMissing(true);
            ask.mutate({ id, mediaIds: photos.map((photo) => photo.id), recipient, note });
          }}
        >
          <TextField
            data-begin-here
            label={t("ask.recipient")}
            hint={t("ask.recipientHint")}
            error={isMissing && recipient.trim() === "" ? t("ask.recipientMissing") : undefined}
            value={recipient}
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => setRecipient(target.value)}
          />
          <TextArea
            label={t("ask.note")}
            value={note}
            maxLength={1000}
            rows={2}
            onChange={({ target }) => setNote(target.value)}
          />
          <SubmitButton busy={ask.isPending}>{t("ask.make")}</SubmitButton>
        </Form>
      )}
    </Dialog>
  );
}
