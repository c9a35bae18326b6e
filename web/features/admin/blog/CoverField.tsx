import { useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Picture } from "../../../media/Picture.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Progress } from "../../../ui/Progress.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import type { PostFields } from "./posts.queries.ts";
import { useCoverUpload } from "./use-cover-upload.ts";

type Cover = Pick<PostFields, "cover" | "cover_alt">;

interface CoverFieldProps {
  value: Cover;
  onChange: (change: Cover) => void;
  /** The address of its picture on this device, once it is known. */
  url: string | undefined;
}

const TYPES = "image/*,.heic,.heif,.tif,.tiff";

/** Chooses, replaces or removes the cover of a post, and says what it shows. */
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
