import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { type Memory, useDeleteMemory, useRestoreMemory } from "../../data/memories.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { ownUploads } from "../../media/uploads/queues.ts";
import { paths } from "../../paths.ts";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

interface DeleteMemoryProps {
  memory: Memory;
  photoCount: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Confirms deleting a memory, because its links close for everyone, and explains how to restore it. */
export function DeleteMemory({ memory, photoCount, open, onOpenChange }: DeleteMemoryProps) {
  const { t } = useTranslation(["memories", "undo"]);
  const navigate = useNavigate();
  const restore = useRestoreMemory(supabase, (restored) =>
    toast(
      restored
        ? { title: t("page.restored"), tone: "success" }
        : { title: t("undo:restoreFailed"), description: t("undo:restoreFailedText"), tone: "problem" },
    ),
  );
  const remove = useDeleteMemory(supabase, () => {
    const uploads = ownUploads();
    uploads.remove(uploads.files.get().flatMap((upload) => (upload.memoryId === memory.id ? [upload.id] : [])));
    toast({
      title: t("page.deleted"),
      description: t("undo:kept"),
      action: { label: t("page.undo"), onSelect: () => restore.mutate(memory.id) },
    });
    navigate(paths.start(), { replace: true });
  });
  return (
    <ConfirmDialog
      title={t("page.deleteTitle", { name: memory.person_name })}
      description={t("page.deleteText", { count: photoCount })}
      open={open}
      onOpenChange={onOpenChange}
      confirm={t("page.deleteIt")}
      cancel={t("page.cancel")}
      busy={remove.isPending}
      failure={remove.isError && t("page.deleteFailed")}
      onConfirm={() => remove.mutate(memory.id)}
    />
  );
}
