import {
  Crop,
  Download,
  Ellipsis,
  EyeOff,
  FileDown,
  Flag,
  Grid2x2X,
  Play,
  RotateCcw,
  RotateCw,
  Share2,
  Star,
  Trash2,
  Undo2,
  UserX,
} from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { editKey } from "../../../../shared/edit-key.ts";
import { asTaken } from "../../../../shared/photo-edit.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { lazyPart } from "../../../lib/browser/lazy-part.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { classNames } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Menu, MenuActions, MenuChoice, MenuItem, MenuSeparator } from "../../../ui/Menu.tsx";
import type { PhotoActions } from "../photo-actions.ts";
import { useShareLabel } from "../use-share-photos.ts";
import { type Slideshow, SPEEDS } from "./use-slideshow.ts";

/** The style of the bar's buttons. */
export const BAR_BUTTON = "hover:bg-white/15! hover:text-white!";

const CropDialog = lazyPart(async () => ({ default: (await import("../editing/CropDialog.tsx")).CropDialog }));

const NotMeDialog = lazyPart(async () => ({ default: (await import("../requests/NotMeDialog.tsx")).NotMeDialog }));
const BlurDialog = lazyPart(async () => ({ default: (await import("../editing/BlurDialog.tsx")).BlurDialog }));

/** What the reader may do with how a photo is shown. */
export type Editing = Pick<PhotoActions, "turn" | "edit" | "showAsTaken">;

/** The access of a reader who may ask not to be seen, and whether they have no account. */
export interface AskingNotMe {
  client: SupabaseClient;
  isVisitor: boolean;
}

interface LightboxMenuProps {
  photo: Photo;
  /** Undefined if there is no other photo. */
  slideshow: Slideshow | undefined;
  /** This and the following handlers are undefined if the reader lacks the right. */
  onCover: (() => void) | undefined;
  editing: Editing | undefined;
  onDownload: (() => void) | undefined;
  /** Saves the original of an edited photo. */
  onOriginal: (() => void) | undefined;
  onShare: (() => void) | undefined;
  onHide: (() => void) | undefined;
  onReport: (() => void) | undefined;
  /** With whose access the reader may ask the managers not to be seen. */
  asking: AskingNotMe | undefined;
  onRemove: (() => void) | undefined;
}

/** Renders the menu of rare actions, and of actions that do not fit into a phone's bar. */
export function LightboxMenu(props: LightboxMenuProps) {
  const { photo, slideshow, onCover, editing, onDownload, onOriginal, onShare, onHide, onReport, asking, onRemove } =
    props;
  const { t } = useTranslation(["media", "gallery", "moderation", "reports", "editing"]);
  const shareLabel = useShareLabel();
  const [dialog, setDialog] = useState<"crop" | "blur" | "notMe">();
  const close = () => setDialog(undefined);
  // The button would show its tooltip, which takes the next Escape.
  const toLightbox = () => document.querySelector<HTMLElement>("[role=dialog]")?.focus();
  if (!slideshow && !onCover && !editing && !onDownload && !onShare && !onHide && !onReport && !asking && !onRemove)
    return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton
            icon={Ellipsis}
            label={t("gallery:details.more")}
            className={classNames(BAR_BUTTON, !editing && !onShare && !onHide && !onReport && !asking && "sm:hidden")}
          />
        }
      >
        <div className="sm:hidden">
          {slideshow &&
            (slideshow.playing ? (
              <>
                <SlideshowSpeed slideshow={slideshow} />
                <MenuSeparator />
              </>
            ) : (
              <MenuItem icon={Play} onSelect={slideshow.play}>
                {t("gallery:slideshow.play")}
              </MenuItem>
            ))}
        </div>
        {onCover && (
          <MenuItem onSelect={onCover}>
            <Star aria-hidden className="size-5" fill={photo.is_cover ? "currentColor" : "none"} />
            {photo.is_cover ? t("cover.is") : t("cover.use")}
          </MenuItem>
        )}
        <MenuActions
          actions={[
            { icon: RotateCcw, text: t("editing:left"), onSelect: editing && (() => editing.turn([photo], -90)) },
            { icon: RotateCw, text: t("editing:right"), onSelect: editing && (() => editing.turn([photo], 90)) },
            { icon: Crop, text: t("editing:crop"), onSelect: editing && (() => setDialog("crop")) },
            { icon: Grid2x2X, text: t("editing:blur"), onSelect: editing && (() => setDialog("blur")) },
            {
              icon: Undo2,
              text: t("editing:asTaken"),
              onSelect:
                editing && editKey(photo.edit) !== editKey(asTaken(photo.edit))
                  ? () => editing.showAsTaken(photo)
                  : undefined,
            },
            { icon: Download, text: t("lightbox.download"), onSelect: onDownload },
            { icon: FileDown, text: t("editing:original"), onSelect: onOriginal },
            { icon: Share2, text: shareLabel, onSelect: onShare },
            { icon: EyeOff, text: t("moderation:photoHide"), onSelect: onHide },
            { icon: UserX, text: t("reports:notMe"), onSelect: asking && (() => setDialog("notMe")) },
            { icon: Flag, text: t("reports:item"), onSelect: onReport },
            { icon: Trash2, text: t("lightbox.delete"), tone: "danger", onSelect: onRemove },
          ]}
        />
      </Menu>
      {dialog === "notMe" && asking && (
        <Suspense>
          <NotMeDialog {...asking} photo={photo} onClose={close} onClosed={toLightbox} />
        </Suspense>
      )}
      {dialog && dialog !== "notMe" && editing && (
        <Suspense>
          {dialog === "crop" ? (
            <CropDialog photo={photo} onClose={close} onClosed={toLightbox} onSave={editing.edit} />
          ) : (
            // Who may hide photos manages the memory.
            <BlurDialog
              photo={photo}
              mayShowAgain={onHide !== undefined}
              onClose={close}
              onClosed={toLightbox}
              onSave={editing.edit}
            />
          )}
        </Suspense>
      )}
    </>
  );
}

/** Renders the choice of seconds per photo. */
export function SlideshowSpeed({ slideshow }: { slideshow: Slideshow }) {
  const { t } = useTranslation("gallery");
  return (
    <MenuChoice
      label={t("slideshow.speed")}
      value={String(slideshow.seconds)}
      onChange={(chosen) => slideshow.setSeconds(Number(chosen))}
      options={SPEEDS.map((count) => ({ value: String(count), label: t("slideshow.seconds", { count }) }))}
    />
  );
}
