import { RotateCcw, RotateCw } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  asTaken,
  editedSize,
  frameOf,
  type PhotoEdit,
  roundedTo,
  turned,
  UNEDITED,
} from "../../../../shared/photo-edit.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { renditionUrl } from "../../../lib/request/rendition-url.ts";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { CropStage } from "./CropStage.tsx";
import { withRatio } from "./crop.ts";

interface CropDialogProps {
  photo: Photo;
  onClose: () => void;
  /** Moves the focus after closing. */
  onClosed: () => void;
  /** Called with the edit, and the photo as it was when the dialog was opened. */
  onSave: (photo: Photo, edit: PhotoEdit) => void;
}

/** The shapes that are offered: width by height of a photo that is wider than high. */
const RATIOS = { free: undefined, original: 0, square: 1, "4:3": 4 / 3, "3:2": 3 / 2, "16:9": 16 / 9 };
type Ratio = keyof typeof RATIOS;
const isNamed = (ratio: Ratio): ratio is "free" | "original" | "square" => !ratio.includes(":");

/** Renders the dialog that turns, straightens and crops a photo, with what will be shown. */
export function CropDialog({ photo: photoNow, onClose, onClosed, onSave }: CropDialogProps) {
  const { t } = useTranslation(["cropping", "editing"]);
  // Somebody else's edit meanwhile is a conflict, and does not change what is being edited.
  const [photo] = useState(photoNow);
  const [edit, setEdit] = useState(photo.edit ?? UNEDITED);
  const [ratio, setRatio] = useState<Ratio>("free");
  const [isFailed, setFailed] = useState(false);
  const { url } = useKnownMediaUrls(photo);
  const [width, height] = photo.edit?.of ?? [photo.width ?? 4, photo.height ?? 3];
  const file = { width, height };
  const frame = frameOf(file, edit);
  const fractions = ratioOf(ratio, frame);
  const turn = (degrees: number) => setEdit(turned(edit, degrees) ?? UNEDITED);
  const choose = (chosen: Ratio) => {
    setRatio(chosen);
    const next = ratioOf(chosen, frame);
    if (next !== undefined) setEdit({ ...edit, crop: withRatio(edit.crop, next) });
  };
  // Keys of the dialog are not keys of the open photo below it.
  const keepKeys = (event: KeyboardEvent) => event.stopPropagation();
  return (
    <Dialog
      title={t("title")}
      description={t("text")}
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onClosed={onClosed}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only holds back keys of its fields */}
      <div className="grid gap-5" onKeyDown={keepKeys}>
        {isFailed || !url ? (
          <p role="alert">{t("failed")}</p>
        ) : (
          <CropStage
            src={`${renditionUrl(url, photo.animated ? 960 : 1600)}&unedited=1`}
            file={file}
            edit={edit}
            ratio={fractions}
            onCrop={(crop) => setEdit({ ...edit, crop })}
            onFailed={() => setFailed(true)}
          />
        )}
        <Size {...editedSize(file, edit)} />
        <div className="flex items-center justify-center gap-2">
          <IconButton icon={RotateCcw} label={t("editing:left")} onClick={() => turn(-90)} />
          <Straighten value={edit.straighten} onChange={(straighten) => setEdit({ ...edit, straighten })} />
          <IconButton icon={RotateCw} label={t("editing:right")} onClick={() => turn(90)} />
        </div>
        <SegmentedControl
          label={t("ratio")}
          value={ratio}
          onChange={choose}
          options={(Object.keys(RATIOS) as Ratio[]).map((value) => ({
            value,
            label: isNamed(value) ? t(value) : value,
          }))}
        />
        <div className="flex flex-wrap justify-between gap-3">
          <Button
            variant="quiet"
            onClick={() => {
              setEdit(asTaken(edit) ?? UNEDITED);
              setRatio("free");
            }}
          >
            {t("editing:asTaken")}
          </Button>
          <Button
            onClick={() => {
              onSave(photo, edit);
              onClose();
            }}
          >
            {t("save")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** A shape in fractions of the frame; undefined if it is free. A high photo gets the high one. */
function ratioOf(ratio: Ratio, frame: { width: number; height: number }): number | undefined {
  const wide = RATIOS[ratio];
  if (wide === undefined) return undefined;
  if (wide === 0) return 1;
  return ((frame.width >= frame.height ? wide : 1 / wide) * frame.height) / frame.width;
}

function Size({ width, height }: { width: number; height: number }): ReactNode {
  const { t } = useTranslation("cropping");
  return (
    <p role="status" className="text-center text-sm text-ink-soft tabular-nums">
      {t("size", { width, height })}
    </p>
  );
}

function Straighten({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const { t, i18n } = useTranslation("cropping");
  const degrees = value.toLocaleString(i18n.language, { maximumFractionDigits: 1 });
  return (
    <label className="grid min-w-0 grow gap-1 text-center font-semibold">
      <span>
        {t("straighten")} <span className="font-normal text-ink-soft tabular-nums">{degrees}°</span>
      </span>
      <input
        type="range"
        min={-45}
        max={45}
        step={0.1}
        value={value}
        aria-valuetext={t("degrees", { degrees })}
        onChange={({ target }) => onChange(roundedTo(Number(target.value), 1))}
        className="min-h-11 w-full accent-deep"
      />
    </label>
  );
}
