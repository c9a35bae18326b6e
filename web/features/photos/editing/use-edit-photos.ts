import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { asTaken, type PhotoEdit } from "../../../../shared/photo-edit.ts";
import { useUndoProblem } from "../../../actions/undo-problem.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { EditConflict } from "../../../data/save-over.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { toast } from "../../../ui/toasts.tsx";
import type { PhotoActions } from "../photo-actions.ts";
import { isEditable } from "./editable.ts";
import { useSetEdit, useTurn } from "./edits.queries.ts";

/** Returns the functions that turn and crop photos and show them as taken, with toasts and an undo. */
export function useEditPhotos(
  client: SupabaseClient,
  memoryId: string,
): Pick<PhotoActions, "turn" | "edit" | "showAsTaken"> {
  const { t } = useTranslation("editing");
  const { mutate: turn } = useTurn(client, memoryId);
  const { mutate: setEdit } = useSetEdit(client, memoryId);
  const undoFailed = useUndoProblem();
  return useMemo(() => {
    const failed = (error: unknown) =>
      error instanceof EditConflict
        ? toast({ title: t("conflict"), description: t("conflictText"), tone: "problem" })
        : toast({ title: t("failed"), description: t("failedText"), tone: "problem" });
    const done = (title: string, undo: () => void) =>
      toast({ title, tone: "success", action: { label: t("undo"), onSelect: undo } });
    const show = (photo: Pick<Photo, "id" | "edit" | "revision">, edit: PhotoEdit | null, title: string) =>
      setEdit(
        { photo, edit },
        {
          onError: failed,
          onSuccess: ({ revision }) =>
            done(title, () =>
              setEdit(
                { photo: { id: photo.id, edit, revision }, edit: photo.edit },
                { onError: (error) => undoFailed(error, () => failed(error)) },
              ),
            ),
        },
      );
    return {
      turn(photos, degrees) {
        const ids = photos.filter(isEditable).map(({ id }) => id);
        turn(
          { ids, degrees },
          {
            onError: failed,
            onSuccess: (turned) =>
              done(t("turned", { count: turned.length }), () =>
                turn(
                  { ids: turned, degrees: -degrees, isUndo: true },
                  { onError: (error) => undoFailed(error, () => failed(error)) },
                ),
              ),
          },
        );
      },
      edit: (photo, edit) => show(photo, edit, t("saved")),
      showAsTaken: (photo) => show(photo, asTaken(photo.edit), t("takenAgain")),
    };
  }, [t, turn, setEdit, undoFailed]);
}
