import type { User } from "@supabase/supabase-js";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useUndoProblem } from "../../../actions/undo-problem.ts";
import { readAvatar, useAvatars, useSaveAvatar } from "../../../data/avatars.queries.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { CropPicture } from "./CropPicture.tsx";

/** Formats that browsers can decode for cropping. Because of this list, phones convert other formats to JPEG. */
const ACCEPT = "image/jpeg,image/png,image/webp";

/** Adds, replaces or removes the person's picture, with an undo. */
export function PictureRow({ user }: { user: User }) {
  const { t } = useTranslation("profile");
  const picture = useAvatars(
    supabase,
    "own",
    useMemo(() => [user.id], [user.id]),
  )[user.id];
  const save = useSaveAvatar(supabase, user.id);
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const undoFailed = useUndoProblem();
  const failed = () => toast({ title: t("picture.failed"), description: t("picture.failedText"), tone: "problem" });

  async function change(next: Blob | null) {
    const before = picture ? await readAvatar(supabase, user.id) : null;
    await save.mutateAsync({ picture: next });
    toast({
      title: t(next ? "picture.saved" : "picture.removed"),
      tone: "success",
      action: {
        label: t("picture.undo"),
        onSelect: () =>
          save.mutate({ picture: before, expected: next }, { onError: (error) => undoFailed(error, failed) }),
      },
    });
  }

  return (
    <div className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-3 sm:grid-cols-[auto_1fr_auto]">
      <Avatar
        name={String(user.user_metadata.full_name ?? "")}
        picture={picture}
        className="size-20 self-start text-3xl"
      />
      <div className="min-w-0">
        <p className="font-semibold">{t("picture.label")}</p>
        <p className="text-ink-soft">{t("picture.text")}</p>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:col-start-2">
        <Button
          size="small"
          variant="quiet"
          aria-label={`${picture ? t("change") : t("add")}: ${t("picture.label")}`}
          onClick={() => input.current?.click()}
        >
          {picture ? t("change") : t("add")}
        </Button>
        {picture && (
          <Button
            size="small"
            variant="quiet"
            aria-busy={save.isPending}
            aria-label={`${t("remove")}: ${t("picture.label")}`}
            onClick={() => !save.isPending && void change(null).catch(failed)}
          >
            {t("remove")}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={ACCEPT}
        hidden
        aria-label={t("picture.choose")}
        onChange={({ target }) => {
          setFile(target.files?.[0]);
          // Without this, choosing the same file again fires no change event.
          target.value = "";
        }}
      />
      <Dialog
        title={t("picture.cropTitle")}
        description={t("picture.cropText")}
        open={file !== undefined}
        onOpenChange={(open) => !open && setFile(undefined)}
      >
        {file && (
          <CropPicture
            file={file}
            busy={save.isPending}
            onFailed={failed}
            onCropped={(square) => void change(square).then(() => setFile(undefined), failed)}
          />
        )}
      </Dialog>
    </div>
  );
}
