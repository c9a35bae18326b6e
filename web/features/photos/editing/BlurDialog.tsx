import { Plus, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Box, MOST_BLURS, type PhotoEdit, UNEDITED } from "../../../../shared/photo-edit.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { renditionUrl } from "../../../lib/request/rendition-url.ts";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { BlurStage } from "./BlurStage.tsx";
import { inTheMiddle } from "./blur.ts";

/** What the dialog needs of a photo. */
type Blurred = Pick<
  Photo,
  "id" | "type" | "object_name" | "poster_name" | "width" | "height" | "edit" | "animated" | "revision"
>;

interface BlurDialogProps {
  photo: Blurred;
  /** Whether the person may show again what is blurred already. */
  mayShowAgain: boolean;
  onClose: () => void;
  /** Moves the focus after closing. By default what opened the dialog gets it back. */
  onClosed?: () => void;
  /** Called with the edit, and the photo as it was when the dialog was opened. */
  onSave: (photo: Blurred, edit: PhotoEdit) => void;
}

/** Renders the dialog in which parts of a photo are chosen that others may not see. */
export function BlurDialog({ photo: photoNow, mayShowAgain, onClose, onClosed, onSave }: BlurDialogProps) {
  const { t } = useTranslation("blurring");
  // Somebody else's edit meanwhile is a conflict, and does not change what is being edited.
  const [photo] = useState(photoNow);
  const [parts, setParts] = useState<readonly Box[]>(photo.edit?.blur ?? []);
  const [isFailed, setFailed] = useState(false);
  const { url } = useKnownMediaUrls(photo);
  const [width, height] = photo.edit?.of ?? [photo.width ?? 4, photo.height ?? 3];
  const fixed = mayShowAgain ? 0 : (photo.edit?.blur?.length ?? 0);
  const mayAdd = parts.length < MOST_BLURS;
  // Keys of the dialog are not keys of the open photo below it.
  const keepKeys = (event: KeyboardEvent) => event.stopPropagation();
  const save = () => {
    const { blur: _, ...edit } = photo.edit ?? UNEDITED;
    onSave(photo, { ...edit, ...(parts.length > 0 && { blur: [...parts] }) });
    onClose();
  };
  return (
    <Dialog
      title={t("title")}
      description={t("text")}
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      {...(onClosed && { onClosed })}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only holds back keys of its fields */}
      <div className="grid gap-5" onKeyDown={keepKeys}>
        {isFailed || !url ? (
          <p role="alert">{t("failed")}</p>
        ) : (
          <BlurStage
            src={`${renditionUrl(url, photo.animated ? 960 : 1600)}&unedited=1`}
            file={{ width, height }}
            parts={parts}
            fixed={fixed}
            mayAdd={mayAdd}
            onParts={setParts}
            onFailed={() => setFailed(true)}
          />
        )}
        <p role="status" className="text-center text-sm text-ink-soft">
          {mayAdd ? t("parts", { count: parts.length }) : t("most", { count: MOST_BLURS })}
        </p>
        {fixed > 0 && <p className="text-center text-sm text-ink-soft">{t("kept")}</p>}
        {parts.length > fixed && (
          <ul className="flex flex-wrap justify-center gap-2">
            {parts.map(
              (_, place) =>
                place >= fixed && (
                  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity, and stay in their order
                  <li key={place}>
                    <Button
                      variant="quiet"
                      size="small"
                      icon={X}
                      onClick={() => setParts(parts.filter((_, other) => other !== place))}
                    >
                      {t("remove", { number: place + 1 })}
                    </Button>
                  </li>
                ),
            )}
          </ul>
        )}
        <div className="flex flex-wrap justify-between gap-3">
          <Button
            variant="quiet"
            icon={Plus}
            disabled={!mayAdd}
            onClick={() => setParts([...parts, inTheMiddle(width / height)])}
          >
            {t("add")}
          </Button>
          <Button onClick={save}>{t("save")}</Button>
        </div>
      </div>
    </Dialog>
  );
}
