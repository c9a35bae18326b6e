import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { mediaUrlsQuery } from "../../data/media.queries.ts";
import { choosableMediaQuery, pictureNames, type StoryMedia } from "../../data/stories.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { renditionUrl } from "../../lib/request/rendition-url.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Picture } from "../Picture.tsx";
import { usePhotoText } from "../photo-text.ts";
import { SoundFace } from "../SoundFace.tsx";

interface MediaWindowProps {
  client: SupabaseClient;
  memoryId: string;
  /** Whether recordings can be chosen, too. */
  sounds?: boolean;
  open: boolean;
  onClose: () => void;
  /** Called after the window has closed, to move the focus. */
  onClosed?: () => void;
  onChosen: (media: StoryMedia) => void;
}

/** A dialog for choosing one photo or recording of a memory. */
export function MediaWindow({ open, onClose, onClosed, onChosen, ...from }: MediaWindowProps) {
  const { t } = useTranslation("stories");
  return (
    <Dialog
      title={t(from.sounds ? "choose.titleWithSounds" : "choose.title")}
      open={open}
      onOpenChange={(next) => !next && onClose()}
      onClosed={onClosed}
    >
      <Choices
        {...from}
        onChosen={(media) => {
          onChosen(media);
          onClose();
        }}
      />
    </Dialog>
  );
}

const GRID = "grid grid-cols-3 gap-2 sm:grid-cols-4";

type ChoicesProps = Pick<MediaWindowProps, "client" | "memoryId" | "sounds" | "onChosen">;

function Choices({ client, memoryId, sounds = false, onChosen }: ChoicesProps) {
  const { t } = useTranslation("stories");
  const text = usePhotoText();
  const choices = useInfiniteQuery(choosableMediaQuery(client, memoryId, sounds));
  const media = useMemo(() => choices.data?.pages.flat() ?? [], [choices.data]);
  const names = useMemo(() => pictureNames(media), [media]);
  const urls = useQuery(mediaUrlsQuery(client, `choices-${memoryId}`, names)).data;

  if (choices.isPending) {
    return (
      <div className={GRID}>
        {[1, 2, 3, 4, 5, 6, 7, 8].map((n) => (
          <Skeleton key={n} className="aspect-square" />
        ))}
      </div>
    );
  }
  if (choices.isLoadingError) return <Problem error={new Error(t("choose.failed"))} retry={choices.refetch} />;
  if (media.length === 0) return <Empty picture="photos" title={t("choose.none")} text={t("choose.noneText")} />;
  return (
    <div className="grid justify-items-center gap-4">
      <ul className={`${GRID} m-0 w-full list-none p-0`}>
        {media.map((photo) => {
          const url = urls?.[photo.object_name];
          return (
            <li key={photo.id}>
              <button
                type="button"
                aria-label={t("choose.take", { photo: text(photo) })}
                onClick={() => onChosen(photo)}
                className="relative block aspect-square w-full cursor-pointer overflow-hidden rounded-lg"
              >
                {photo.type === "audio" ? (
                  <SoundFace photo={photo} name={text(photo)} place="choice" />
                ) : (
                  <Picture
                    photo={photo}
                    src={url && renditionUrl(url, 320)}
                    sizes="9rem"
                    alt=""
                    className="size-full"
                  />
                )}
              </button>
            </li>
          );
        })}
      </ul>
      {choices.hasNextPage && (
        <Button variant="quiet" aria-busy={choices.isFetchingNextPage} onClick={() => void choices.fetchNextPage()}>
          {t("choose.more")}
        </Button>
      )}
    </div>
  );
}
