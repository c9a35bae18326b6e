import { AudioLines, FileText, Film, Image as ImageIcon, Pause, Play, Plus, RotateCw, X } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { PDF } from "../../../shared/paper-format.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import {
  isBusy,
  isRetryable,
  MEDIA_ACCEPT,
  type UploadQueue,
  type UploadView,
  useFileProgress,
} from "./use-uploads.ts";

interface UploadRowProps {
  queue: UploadQueue;
  upload: UploadView;
}

/** One upload: a local preview, the progress and the actions. */
export const UploadRow = memo(function UploadRow({ queue, upload }: UploadRowProps) {
  const { t } = useTranslation("media");
  const { id, name, state, problem, type } = upload;
  const failed = state === "failed";
  const canPause = isBusy(upload);
  return (
    <div className="flex h-16 items-center gap-3">
      <FilePreview upload={upload} className="size-12 shrink-0 rounded-lg" />
      <div className="grid min-w-0 grow gap-0.5">
        <p dir="auto" className="truncate text-base leading-tight" title={name}>
          {name}
        </p>
        {state === "uploading" ? (
          <FileProgress queue={queue} upload={upload} />
        ) : (
          <p className={classNames("truncate text-sm leading-tight", failed ? "text-danger-text" : "text-ink-soft")}>
            {failed ? t(`problem.${problem ?? "failed"}`) : t(`upload.${state}`)}
          </p>
        )}
      </div>
      <div className="flex shrink-0 items-center">
        {state === "duplicate" && (
          <IconButton icon={Plus} label={t("duplicate.addFile", { name })} onClick={() => queue.addAnyway([id])} />
        )}
        {state === "needsFile" && <ChooseAgain queue={queue} upload={upload} />}
        {canPause && <IconButton icon={Pause} label={t("upload.pause", { name })} onClick={() => queue.pause([id])} />}
        {state === "paused" && (
          <IconButton icon={Play} label={t("upload.resume", { name })} onClick={() => queue.resume([id])} />
        )}
        {failed && type && isRetryable(problem) && (
          <IconButton icon={RotateCw} label={t("upload.retry", { name })} onClick={() => queue.retry([id])} />
        )}
        <IconButton
          icon={X}
          label={t(state === "duplicate" ? "duplicate.skipFile" : "upload.remove", { name })}
          onClick={() => queue.remove([id])}
        />
      </div>
    </div>
  );
});

/** The progress of one file. Separate, so that the row does not render with each step. */
function FileProgress({ queue, upload }: Pick<UploadRowProps, "queue" | "upload">) {
  const { t } = useTranslation("media");
  const { sent, timeLeft } = useFileProgress(queue, upload);
  const fraction = Math.min(1, sent / Math.max(1, upload.size));
  const percent = Math.min(99, Math.round(fraction * 100));
  const text =
    upload.problem === "network"
      ? t("upload.network")
      : percent < 99
        ? [
            t("upload.uploading", { percent }),
            timeLeft && t(`upload.short.${timeLeft.unit}`, { count: timeLeft.count }),
          ]
            .filter(Boolean)
            .join(" · ")
        : t("upload.finishing");
  return (
    <>
      <p className="truncate text-sm leading-tight text-ink-soft tabular-nums">{text}</p>
      <div
        role="progressbar"
        aria-label={t("upload.file", { name: upload.name })}
        aria-valuenow={percent}
        className="h-1 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full origin-left bg-deep transition-transform duration-200 ease-out"
          style={{ transform: `scaleX(${fraction})` }}
        />
      </div>
    </>
  );
}

interface FilePreviewProps {
  upload: Pick<UploadView, "file" | "type">;
  className: string;
}

/** A local preview. Most browsers cannot show HEIC, and a video would have to be loaded. */
export function FilePreview({ upload: { file, type }, className }: FilePreviewProps) {
  const url = useObjectUrl(type.startsWith("image/") ? file : undefined);
  const [unknown, setUnknown] = useState<string>();
  const Icon = type.startsWith("video/")
    ? Film
    : type.startsWith("audio/")
      ? AudioLines
      : type === PDF
        ? FileText
        : ImageIcon;
  return (
    <span className={classNames("grid place-content-center overflow-hidden bg-line text-ink-soft", className)}>
      {url && url !== unknown ? (
        <img
          src={url}
          alt=""
          decoding="async"
          draggable={false}
          onError={() => setUnknown(url)}
          className={classNames("object-cover", className)}
        />
      ) : (
        <Icon aria-hidden className="size-6" />
      )}
    </span>
  );
}

/** An object URL for a local file, revoked on unmount. */
export function useObjectUrl(file: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = file && URL.createObjectURL(file);
    setUrl(made);
    return () => {
      if (made) URL.revokeObjectURL(made);
    };
  }, [file]);
  return file ? url : undefined;
}

/** Asks for a file whose bytes could not be kept across a reload; the upload then resumes. */
function ChooseAgain({ queue, upload }: { queue: UploadQueue; upload: UploadView }) {
  const { t } = useTranslation("media");
  const input = useRef<HTMLInputElement>(null);
  const [another, setAnother] = useState(false);
  const take = async (file: File | undefined) =>
    setAnother(file !== undefined && !(await queue.chooseAgain(upload.id, file)));
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-label={t("upload.chooseAgainFile", { name: upload.name })}
        onClick={() => input.current?.click()}
      >
        {another ? t("upload.notTheSame") : t("upload.chooseAgain")}
      </Button>
      <input
        ref={input}
        type="file"
        accept={MEDIA_ACCEPT}
        hidden
        aria-label={t("upload.chooseAgainFile", { name: upload.name })}
        onChange={({ target }) => {
          void take(target.files?.[0]);
          target.value = "";
        }}
      />
    </>
  );
}
