import { ImagePlus } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonProps } from "../../ui/Button.tsx";
import { MEDIA_ACCEPT } from "./use-uploads.ts";

interface AddPhotosButtonProps extends ButtonProps {
  onFiles: (files: File[]) => void;
}

/** Lets a person choose photos from the device, several at once. */
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
          // Choosing the same file again must count as a change.
          target.value = "";
        }}
      />
    </>
  );
}
