import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type PartBase, useDeletePart } from "../../data/day.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/Dialog.tsx";

interface DeletePartProps {
  client: SupabaseClient;
  memoryId: string;
  part: PartBase;
  onDeleted: () => void;
}

/** Deletes a part of the day after a question that names what is lost. */
export function DeletePart({ client, memoryId, part, onDeleted }: DeletePartProps) {
  const { t } = useTranslation("day");
  const [open, setOpen] = useState(false);
  const remove = useDeletePart(client, memoryId, onDeleted);
  return (
    <>
      <Button icon={Trash2} variant="plain" className="ms-auto" onClick={() => setOpen(true)}>
        {t("edit.remove")}
      </Button>
      <ConfirmDialog
        title={t("edit.sureTitle", { title: part.title })}
        description={t("edit.sureText")}
        open={open}
        onOpenChange={setOpen}
        confirm={t("edit.remove")}
        cancel={t("edit.cancel")}
        busy={remove.isPending}
        failure={remove.isError && t("edit.removeFailed")}
        onConfirm={() => remove.mutate(part.id)}
      />
    </>
  );
}
