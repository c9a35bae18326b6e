import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { type Point, useNamePhotos, useRemoveNames } from "../../../data/pictured.queries.ts";
import type { NameOnPhoto, PicturedPerson } from "../../../data/pictured.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { toast } from "../../../ui/toasts.tsx";

/** A chosen person: one of the list, or a new one with the typed name. */
export interface ChosenPerson {
  id: string;
  name: string;
  isNew: boolean;
}

/** Returns functions that give and remove names, with messages. */
export function useNaming(client: SupabaseClient, memoryId: string) {
  const { t } = useTranslation("pictured");
  const naming = useNamePhotos(client, memoryId);
  const removing = useRemoveNames(client, memoryId);
  const failed = () => toast({ title: t("failed"), description: t("failedText"), tone: "problem" });

  /** Names a person on one photo; a point moves the one that it has. */
  const name = (photo: Photo, person: ChosenPerson, point?: Point) =>
    naming.mutate({ mediaIds: [photo.id], person, point }, { onError: failed });
  /** Names a person on many photos, with an undo in the toast. */
  const nameMany = (photos: readonly Photo[], person: ChosenPerson) =>
    naming.mutate(
      { mediaIds: photos.map(({ id }) => id), person },
      {
        onError: failed,
        onSuccess: (named) =>
          toast({
            title: t("named", { count: named.length, name: person.name }),
            tone: "success",
            ...(named.length > 0 && {
              action: {
                label: t("undo"),
                onSelect: () => removing.mutate({ mediaIds: named, personIds: [person.id] }, { onError: failed }),
              },
            }),
          }),
      },
    );
  const remove = (photo: Photo, person: PicturedPerson) =>
    removing.mutate({ mediaIds: [photo.id], personIds: person.entryIds }, { onError: failed });
  /** Gives a removed name again, where it was. */
  const restore = (photo: Photo, { person: { id, name: text }, x, y }: NameOnPhoto) =>
    name(photo, { id, name: text, isNew: false }, x === null || y === null ? undefined : { x, y });
  return { name, nameMany, remove, restore, busy: naming.isPending || removing.isPending };
}

export type Naming = ReturnType<typeof useNaming>;
