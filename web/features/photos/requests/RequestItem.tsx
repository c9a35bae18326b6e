import { EyeOff, Grid2x2X } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { PhotoEdit } from "../../../../shared/photo-edit.ts";
import { useDecide } from "../../../actions/moderation.ts";
import { type PictureRequest, useDecideRequest } from "../../../data/picture-requests.queries.ts";
import { lazyPart } from "../../../lib/browser/lazy-part.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { renditionUrl } from "../../../lib/request/rendition-url.ts";
import { useMediaUrls } from "../../../media/use-media-urls.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { isEditable } from "../editing/editable.ts";
import { useSetEdit } from "../editing/edits.queries.ts";

const BlurDialog = lazyPart(async () => ({ default: (await import("../editing/BlurDialog.tsx")).BlurDialog }));
const DeclineDialog = lazyPart(async () => ({ default: (await import("./DeclineDialog.tsx")).DeclineDialog }));

interface RequestItemProps {
  client: SupabaseClient;
  memoryId: string;
  request: PictureRequest;
}

/** Renders a request with its picture, and the buttons that blur, hide or decline. */
export function RequestItem({ client, memoryId, request }: RequestItemProps) {
  const { t, i18n } = useTranslation("notMe");
  const { picture } = request;
  const { picture: url } = useMediaUrls(picture);
  const [dialog, setDialog] = useState<"blur" | "decline">();
  const close = () => setDialog(undefined);
  const decision = useDecideRequest(client, memoryId);
  const { mutate: setEdit } = useSetEdit(client, memoryId);
  const hide = useDecide(client, memoryId);
  const when = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "medium" }).format(
    new Date(request.created_at),
  );
  const failed = () => toast({ title: t("decideFailed"), tone: "problem" });
  const decide = (state: "done" | "declined", answer = "") =>
    decision.mutate(
      { id: request.id, state, answer },
      {
        onError: failed,
        onSuccess: () =>
          toast({
            title: state === "done" ? t("done") : t("declined"),
            tone: "success",
            action: {
              label: t("reopen"),
              onSelect: () => decision.mutate({ id: request.id, state: "open", answer: "" }, { onError: failed }),
            },
          }),
      },
    );
  // The picture first: if the second step fails, the request is open and can be decided again.
  const blur = (photo: Pick<typeof picture, "id" | "edit" | "revision">, edit: PhotoEdit) =>
    setEdit({ photo, edit }, { onError: failed, onSuccess: () => edit.blur && decide("done") });
  const hidePicture = async () => {
    if (await hide([{ kind: "media", id: picture.id }], "hidden")) decide("done");
  };
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-3xl border border-line bg-raised p-4 shadow-soft sm:grid-cols-[11rem_minmax(0,1fr)] sm:p-5">
      <Link
        to={paths.photo(memoryId, picture.id)}
        aria-label={t("picture")}
        className="block aspect-4/3 self-start overflow-hidden rounded-2xl bg-sunken"
        style={{ backgroundColor: picture.colour ?? undefined }}
      >
        {url && <img src={renditionUrl(url, 640)} alt="" className="size-full object-contain" />}
      </Link>
      <div className="grid grid-cols-[minmax(0,1fr)] content-between gap-4">
        <div className="grid gap-1">
          <h3 className="font-serif text-xl leading-snug wrap-anywhere">
            {t(request.wish === "blur" ? "wantsBlur" : "wantsHide", { name: request.name || t("someone") })}
          </h3>
          <p className="text-sm text-ink-soft wrap-anywhere">
            {when}
            {request.email && (
              <>
                {" · "}
                <a href={`mailto:${request.email}`}>{request.email}</a>
              </>
            )}
          </p>
          {request.words && (
            <p dir="auto" className="mt-2 whitespace-pre-line wrap-anywhere">
              {request.words}
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {isEditable(picture) && (
            <Button icon={Grid2x2X} onClick={() => setDialog("blur")}>
              {t("blurHere")}
            </Button>
          )}
          <Button icon={EyeOff} variant="quiet" onClick={() => void hidePicture()}>
            {t("hideHere")}
          </Button>
          <Button variant="plain" onClick={() => setDialog("decline")}>
            {t("decline")}
          </Button>
        </div>
      </div>
      <Suspense>
        {dialog === "blur" && <BlurDialog photo={picture} mayShowAgain onClose={close} onSave={blur} />}
        {dialog === "decline" && (
          <DeclineDialog
            onClose={close}
            onDecline={(answer) => {
              close();
              decide("declined", answer);
            }}
          />
        )}
      </Suspense>
    </li>
  );
}
