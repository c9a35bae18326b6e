import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { mediaUrlsQuery } from "../../data/media.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { renditionSrcSet, renditionUrl } from "../../lib/request/rendition-url.ts";
import { Picture } from "../../media/Picture.tsx";
import { Button } from "../../ui/Button.tsx";
import type { LetterPhoto } from "./letter.queries.ts";

interface LetterPhotoViewProps {
  client: SupabaseClient;
  photo: LetterPhoto;
  number: number;
  count: number;
}

/** A photo of a letter, as large as the window allows beside the fields. */
export function LetterPhotoView({ client, photo, number, count }: LetterPhotoViewProps) {
  const { t } = useTranslation("letter");
  const urls = useQuery(mediaUrlsQuery(client, "letter", [photo.object_name]));
  const url = urls.data?.[photo.object_name];
  if (urls.isLoadingError || (urls.isSuccess && !urls.isPlaceholderData && !url))
    return (
      <div role="alert" className="grid justify-items-start gap-3 rounded-2xl bg-sunken p-6">
        <p>{t("photo.failed")}</p>
        <Button variant="quiet" onClick={() => void urls.refetch()}>
          {t("photo.retry")}
        </Button>
      </div>
    );
  const { width, height } = photo;
  return (
    <div
      className="mx-auto w-full"
      // As wide as a picture of this form can be that is not higher than most of the window.
      style={{ maxWidth: width && height ? `calc(${width / height} * 62svh)` : undefined }}
    >
      <div style={{ aspectRatio: width && height ? `${width} / ${height}` : "4 / 3" }}>
        <Picture
          key={photo.id}
          photo={photo}
          src={url && renditionUrl(url, 960)}
          srcSet={url && renditionSrcSet(url, width)}
          sizes="(min-width: 64rem) 38rem, 100vw"
          alt={t("photo.alt", { number, count })}
          eager
          className="size-full rounded-2xl shadow-soft"
        />
      </div>
    </div>
  );
}
