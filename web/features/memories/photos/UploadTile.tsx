import { Check, Image as ImageIcon, RotateCw, Star, X } from "lucide-react";
import { memo, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { type UploadView, uploads } from "../../media/uploads.queries.ts";

const ON_PHOTO = "bg-black/55 text-white hover:bg-black/80! hover:text-white!";

interface UploadTileProps {
  upload: UploadView;
  /** Offers to make it the cover. */
  onCover?: () => void;
}

/** One file on its way: a preview from the device itself, its progress, and what can be done about it. */
export const UploadTile = memo(function UploadTile({ upload, onCover }: UploadTileProps) {
  const { t } = useTranslation("media");
  const { name, size, sent, state, problem, asCover } = upload;
  const failed = state === "failed";
  const percent = Math.min(99, Math.round((sent / Math.max(1, size)) * 100));
  const status = failed
    ? t(`problem.${problem ?? "failed"}`)
    : state === "uploading"
      ? problem === "network"
        ? t("upload.network")
        : percent < 99
          ? t("upload.uploading", { percent })
          : t("upload.finishing")
      : t(`upload.${state}`);
  return (
    <li className={classNames("relative aspect-square overflow-hidden rounded-xl bg-line", failed && "bg-danger-wash")}>
      {!failed && <Preview file={upload.file} dim={state !== "stored"} />}
      <div className="absolute inset-x-0 top-0 flex justify-end gap-1 p-1">
        {onCover && !failed && (
          <IconButton
            label={asCover ? t("cover.is") : t("cover.useFile", { name })}
            aria-pressed={asCover}
            onClick={onCover}
            className={classNames(ON_PHOTO, "me-auto", asCover && "bg-teal! text-night!")}
          >
            <Star aria-hidden className="size-5" fill={asCover ? "currentColor" : "none"} />
          </IconButton>
        )}
        {failed && problem === "failed" && (
          <IconButton label={t("upload.retry", { name })} onClick={() => uploads.retry(upload.id)}>
            <RotateCw aria-hidden className="size-5" />
          </IconButton>
        )}
        {state !== "stored" && (
          <IconButton
            label={t("upload.remove", { name })}
            onClick={() => uploads.remove(upload.id)}
            className={failed ? undefined : ON_PHOTO}
          >
            <X aria-hidden className="size-5" />
          </IconButton>
        )}
      </div>
      <div
        className={classNames(
          "absolute inset-x-0 bottom-0 p-2 text-sm leading-tight",
          failed ? "text-danger-text" : "bg-gradient-to-t from-black/80 to-transparent pt-8 text-white",
        )}
      >
        {failed && <p className="mb-1 line-clamp-2 break-all text-ink">{name}</p>}
        <p
          className={classNames("flex items-center gap-1 tabular-nums", failed && "font-semibold")}
          role={failed ? "alert" : undefined}
        >
          {state === "stored" && <Check aria-hidden className="size-4" />}
          {status}
        </p>
        {state === "uploading" && (
          <div
            role="progressbar"
            aria-label={t("upload.file", { name })}
            aria-valuenow={percent}
            className="mt-1.5 h-1 overflow-hidden rounded-full bg-white/35"
          >
            <div
              className="h-full origin-left bg-teal transition-transform duration-200 ease-out"
              style={{ transform: `scaleX(${sent / Math.max(1, size)})` }}
            />
          </div>
        )}
      </div>
    </li>
  );
});

/** What the browser itself can show of the file; HEIC it mostly can not. */
function Preview({ file, dim }: { file: Blob; dim: boolean }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  const [unknown, setUnknown] = useState(false);
  if (unknown) {
    return (
      <span className="absolute inset-0 grid place-content-center text-ink-soft">
        <ImageIcon aria-hidden className="size-8" />
      </span>
    );
  }
  return (
    url && (
      <img
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setUnknown(true)}
        className={classNames("absolute inset-0 size-full object-cover", dim && "opacity-70")}
      />
    )
  );
}
