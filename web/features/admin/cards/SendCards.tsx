import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { useMark } from "./board.queries.ts";

interface SendCardsProps {
  /** Ids of cards in one parcel; undefined while the dialog is closed. */
  cards: readonly string[] | undefined;
  onClose: () => void;
  onSent: (count: number) => void;
}

const FIELDS = ["carrier", "number", "url"] as const;

/** Records carrier and tracking number of sent cards, and informs their buyer. */
export function SendCards({ cards, onClose, onSent }: SendCardsProps) {
  const { t } = useTranslation("adminCards");
  return (
    <Dialog
      title={t("sending.title", { count: cards?.length ?? 0 })}
      description={t("sending.text")}
      open={cards !== undefined}
      onOpenChange={onClose}
    >
      {cards && (
        <SendForm
          cards={cards}
          onSent={(count) => {
            onSent(count);
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}

function SendForm({ cards, onSent }: { cards: readonly string[]; onSent: (count: number) => void }) {
  const { t } = useTranslation("adminCards");
  const [parcel, setParcel] = useState({ carrier: "", number: "", url: "" });
  const [tried, setTried] = useState(false);
  const mark = useMark();
  const isWrong = parcel.url !== "" && !/^https:\/\/\S+$/.test(parcel.url);
  return (
    <Form
      error={mark.error}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (mark.isPending || isWrong) return;
        mark.mutate({ of: cards, making: "sent", ...parcel }, { onSuccess: ({ moved }) => onSent(moved) });
      }}
    >
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={t(`sending.${name}`)}
          value={parcel[name]}
          maxLength={name === "url" ? 500 : 60}
          inputMode={name === "url" ? "url" : undefined}
          autoComplete="off"
          error={tried && name === "url" && isWrong ? t("sending.wrong") : undefined}
          onChange={({ target }) => setParcel({ ...parcel, [name]: target.value.trim() === "" ? "" : target.value })}
        />
      ))}
      <SubmitButton busy={mark.isPending} className="justify-self-start">
        {t("sending.submit")}
      </SubmitButton>
    </Form>
  );
}
