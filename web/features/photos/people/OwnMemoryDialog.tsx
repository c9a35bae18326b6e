import { useTranslation } from "react-i18next";
import { useLinkPerson } from "../../../data/pictured.queries.ts";
import type { PicturedPerson } from "../../../data/pictured.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { MemoryPicker } from "../../../media/covers/MemoryPicker.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { toast } from "../../../ui/toasts.tsx";

interface OwnMemoryDialogProps {
  client: SupabaseClient;
  memoryId: string;
  person: PicturedPerson;
  /** The memory about the person, if there is one. */
  own: { id: string; name: string } | null | undefined;
  onClose: () => void;
}

/** Renders the choice of the memory that is about a person. */
export function OwnMemoryDialog({ client, memoryId, person, own, onClose }: OwnMemoryDialogProps) {
  const { t } = useTranslation("pictured");
  const link = useLinkPerson(client, memoryId);
  const choose = (to: string | null) => {
    // A promise, because the dialog closes before the answer.
    link
      .mutateAsync({ personIds: person.entryIds, personId: person.id, to })
      .catch(() => toast({ title: t("person.failed"), description: t("failedText"), tone: "problem" }));
    onClose();
  };
  return (
    <Dialog
      title={t("person.linkTitle", { name: person.name })}
      description={t("person.linkText")}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <div className="grid gap-4">
        {own && (
          <Button variant="quiet" className="justify-self-start" onClick={() => choose(null)}>
            {t("person.unlink", { name: own.name })}
          </Button>
        )}
        <MemoryPicker
          offers={({ id, kind }) => kind === "tribute" && id !== own?.id}
          none={t("person.noMemory")}
          failed={t("person.memoriesFailed")}
        >
          {(memory) => (
            <button
              type="button"
              dir="auto"
              onClick={() => choose(memory.id)}
              className="min-h-11 w-full cursor-pointer rounded-xl px-3 py-2 text-start font-semibold wrap-anywhere hover:bg-wash"
            >
              {memory.person_name}
            </button>
          )}
        </MemoryPicker>
      </div>
    </Dialog>
  );
}
