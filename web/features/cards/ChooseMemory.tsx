import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { toast } from "../../ui/toasts.tsx";
import { type MetalCardRow, useChangeCard } from "./cards.queries.ts";
import { MemoryChoice } from "./MemoryChoice.tsx";
import { useCardMemories } from "./use-card-memories.ts";

interface ChooseMemoryProps {
  card: MetalCardRow;
  userId: string;
  onClose: () => void;
}

/** Which memory a card opens from now on; can be taken back while the notice stands. */
export function ChooseMemory({ card, userId, onClose }: ChooseMemoryProps) {
  const { t } = useTranslation("cards");
  const [chosen, choose] = useState(card.memory_id);
  const { memories, search } = useCardMemories(userId, chosen);
  const change = useChangeCard(supabase, userId);
  const save = () => {
    const name = memories?.find(({ id }) => id === chosen)?.person_name;
    if (chosen === card.memory_id) return onClose();
    change.mutate(
      { id: card.id, memory_id: chosen },
      {
        onSuccess: () => {
          onClose();
          toast({
            title: name === undefined ? t("mine.cleared") : t("mine.changed", { name }),
            action: {
              label: t("mine.undo"),
              onSelect: () => change.mutate({ id: card.id, memory_id: card.memory_id }),
            },
          });
        },
      },
    );
  };
  return (
    <Dialog title={t("mine.change")} open onOpenChange={(open) => !open && onClose()}>
      {memories?.length === 0 && !search ? (
        <div className="grid justify-items-start gap-4">
          <p>{t("mine.noMemories")}</p>
          <Button asChild>
            <Link to={paths.newMemory()}>{t("mine.createMemory")}</Link>
          </Button>
        </div>
      ) : (
        <Form
          error={change.error && new Error(t("mine.changeFailed"))}
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <MemoryChoice memories={memories} search={search} value={chosen} onChange={choose} />
          <SubmitButton busy={change.isPending}>{t("mine.choose")}</SubmitButton>
        </Form>
      )}
    </Dialog>
  );
}
