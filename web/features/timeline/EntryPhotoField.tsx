import { useMemo, useState } from "react";
import { type Control, useController } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { renditionUrl } from "../../lib/request/rendition-url.ts";
import { MediaWindow } from "../../media/editor/MediaWindow.tsx";
import { Picture } from "../../media/Picture.tsx";
import { usePhotoText } from "../../media/photo-text.ts";
import { useStoryMedia } from "../../media/use-story-media.ts";
import { Button } from "../../ui/Button.tsx";
import type { EntryFields } from "./entry-text.ts";

interface EntryPhotoFieldProps {
  client: SupabaseClient;
  memoryId: string;
  control: Control<EntryFields>;
}

/** The photo that stands beside an entry, chosen among those of the memory. */
export function EntryPhotoField({ client, memoryId, control }: EntryPhotoFieldProps) {
  const { t } = useTranslation("stories");
  const text = usePhotoText();
  const { field } = useController({ control, name: "media" });
  const [choosing, setChoosing] = useState(false);
  const ids = useMemo(() => (field.value ? [field.value] : []), [field.value]);
  const { media } = useStoryMedia(client, memoryId, ids);
  const photo = field.value ? media(field.value) : null;
  return (
    <div className="grid justify-items-start gap-2">
      <span className="font-semibold">{t("entry.photo")}</span>
      <div className="flex flex-wrap items-center gap-3">
        {photo && (
          <Picture
            photo={photo}
            src={photo.url && renditionUrl(photo.url, 320)}
            sizes="6rem"
            alt={text(photo)}
            className="size-24 rounded-lg"
          />
        )}
        <Button variant="quiet" size="small" onClick={() => setChoosing(true)}>
          {field.value ? t("entry.changePhoto") : t("entry.choosePhoto")}
        </Button>
        {field.value && (
          <Button variant="plain" size="small" onClick={() => field.onChange(null)}>
            {t("entry.removePhoto")}
          </Button>
        )}
      </div>
      <MediaWindow
        client={client}
        memoryId={memoryId}
        open={choosing}
        onClose={() => setChoosing(false)}
        onChosen={({ id }) => field.onChange(id)}
      />
    </div>
  );
}
