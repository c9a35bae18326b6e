import { ImagePlus } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonProps } from "../../ui/Button.tsx";
import { MEDIA_ACCEPT } from "./use-uploads.ts";

interface AddPhotosButtonProps extends ButtonProps {
  onFiles: (files: File[]) => void;
}

/** A button for choosing photos from the device. */
export function AddPhotosButton({ onFiles, children, ...button }: AddPhotosButtonProps) {
  const { t } = useTranslation("media");
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={ImagePlus} {...button} onClick={() => input.current?.click()}>
        {children ?? t("add")}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept={MEDIA_ACCEPT}
        hidden
        aria-label={t("choose")}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Otherwise choosing the same file again would cause no event.
          target.value = "";
        }}
      />
    </>
  );
}
