import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Picture } from "../../../media/Picture.tsx";
import { HEAD_BYTES, isVideo, maxBytesOf, mediaType } from "../../../media/uploads/media-type.ts";
import { coverName, coverTransport } from "../../../media/uploads/queues.ts";
import { UploadFailure, type UploadProblem } from "../../../media/uploads/upload-failure.ts";
import type { SentFile } from "../../../media/uploads/upload-transport.ts";
import { Button } from "../../../ui/Button.tsx";
import { Progress } from "../../../ui/Progress.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import type { PostFields } from "./posts.queries.ts";

type Cover = Pick<PostFields, "cover" | "cover_alt">;

interface CoverFieldProps {
  value: Cover;
  onChange: (change: Cover) => void;
  /** The object URL of the cover's picture; undefined until loaded. */
  url: string | undefined;
}

const TYPES = "image/*,.heic,.heif,.tif,.tiff";

/** Chooses, replaces or removes a post's cover and its description. */
export function CoverField({ value, onChange, url }: CoverFieldProps) {
  const { t } = useTranslation("adminBlog");
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const change = (next: Cover, said: "removed" | "replaced" | undefined) => {
    onChange(next);
    if (said) toast({ title: t(`cover.${said}`), action: { label: t("undo"), onSelect: () => onChange(value) } });
  };
  const { upload, start } = useCoverUpload((cover) =>
    change({ cover, cover_alt: "" }, value.cover ? "replaced" : undefined),
  );
  const sending = upload !== undefined && upload.problem === undefined;
  return (
    <fieldset className="m-0 grid gap-3 border-0 p-0" aria-describedby={`${id}-hint`}>
      <legend className="mb-1.5 p-0 font-semibold">{t("cover.title")}</legend>
      {value.cover ? (
        <Picture
          photo={{ colour: null }}
          {...(url && { src: url })}
          sizes="28rem"
          alt={value.cover_alt || t("cover.picture")}
          eager
          className="aspect-video w-full max-w-md rounded-2xl"
        />
      ) : (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {t("cover.none")}
        </p>
      )}
      {value.cover && (
        <TextField
          label={t("cover.alt")}
          hint={t("cover.altHint")}
          value={value.cover_alt}
          maxLength={300}
          autoComplete="off"
          onChange={({ target }) => onChange({ ...value, cover_alt: target.value })}
        />
      )}
      {sending && (
        <div className="grid max-w-md gap-1.5">
          <Progress value={upload.share} label={t("cover.sending")} />
          <p className="text-sm text-ink-soft tabular-nums" aria-hidden>
            {t("cover.sent", { percent: Math.min(99, Math.round(upload.share * 100)) })}
          </p>
        </div>
      )}
      {upload?.problem && (
        <p role="alert" className="text-sm font-semibold text-danger-text">
          {t(`cover.problem.${upload.problem === "type" || upload.problem === "size" ? upload.problem : "failed"}`)}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {sending ? (
          <Button variant="quiet" size="small" onClick={upload.cancel}>
            {t("cover.cancel")}
          </Button>
        ) : (
          <>
            {upload?.retry && (
              <Button variant="quiet" size="small" onClick={upload.retry}>
                {t("cover.retry")}
              </Button>
            )}
            <Button variant="quiet" size="small" onClick={() => input.current?.click()}>
              {t(value.cover ? "cover.replace" : "cover.choose")}
            </Button>
            {value.cover && (
              <Button variant="plain" size="small" onClick={() => change({ cover: null, cover_alt: "" }, "removed")}>
                {t("cover.remove")}
              </Button>
            )}
          </>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={TYPES}
        hidden
        aria-label={t("cover.choose")}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          if (file) void start(file);
        }}
      />
    </fieldset>
  );
}

/** A cover that is being uploaded, or whose upload failed. */
type CoverUpload =
  | { share: number; cancel: () => void; problem?: undefined; retry?: undefined }
  | { problem: UploadProblem; retry: (() => void) | undefined };

/** Uploads a picture as a cover, resumably; `onStored` receives its object name. */
function useCoverUpload(onStored: (cover: string) => void) {
  const [upload, setUpload] = useState<CoverUpload>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (sent: SentFile, file: File) => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    const cancel = () => {
      control.abort();
      setUpload(undefined);
    };
    setUpload({ share: 0, cancel });
    try {
      await coverTransport().send(sent, file, {
        signal: control.signal,
        onProgress: (bytes) => !control.signal.aborted && setUpload({ share: bytes / sent.size, cancel }),
        onAddress: (url) => {
          sent.url = url;
        },
      });
      setUpload(undefined);
      onStored(coverName(sent));
    } catch (error) {
      if (control.signal.aborted) return;
      const problem = error instanceof UploadFailure ? error.problem : "failed";
      // A retry resumes the upload.
      setUpload({ problem, retry: () => void send(sent, file) });
    }
  };

  const start = async (file: File) => {
    const head = await file
      .slice(0, HEAD_BYTES)
      .arrayBuffer()
      .catch(() => undefined);
    // The file was moved after it was chosen, or is in a cloud storage that cannot be reached.
    if (!head) return setUpload({ problem: "failed", retry: () => void start(file) });
    const type = mediaType(new Uint8Array(head));
    if (!type || isVideo(type)) return setUpload({ problem: "type", retry: undefined });
    if (file.size > maxBytesOf(type)) return setUpload({ problem: "size", retry: undefined });
    await send({ id: crypto.randomUUID(), name: file.name, type, size: file.size }, file);
  };
  return { upload, start };
}
