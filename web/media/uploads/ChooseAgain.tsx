import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { MEDIA_ACCEPT, type UploadQueue, type UploadView } from "./use-uploads.ts";

/** Asks for a file whose bytes could not be kept across a reload; it goes on from where it was. */
export function ChooseAgain({ queue, upload }: { queue: UploadQueue; upload: UploadView }) {
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
