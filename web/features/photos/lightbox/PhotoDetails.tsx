import { useQuery } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { sizeText } from "../../../../shared/storage.ts";
import { writtenDate } from "../../../../shared/written-date.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { DateForm } from "../../../media/DateForm.tsx";
import { PhotoPanel } from "../../../media/PhotoPanel.tsx";
import { Button } from "../../../ui/Button.tsx";
import { useChangeDates } from "../dates/use-change-dates.ts";
import { creditQuery } from "../photos.queries.ts";
import { CaptionForm } from "./CaptionForm.tsx";

interface PhotoDetailsProps {
  client: SupabaseClient;
  photo: Photo;
  editable: boolean;
  onClose: () => void;
}

/** Renders the open photo's details and caption form, beside the photo or, on phones, below it. */
export function PhotoDetails({ client, photo, editable, onClose }: PhotoDetailsProps) {
  const { t, i18n } = useTranslation("gallery");
  const by = useQuery(creditQuery(client, photo.id)).data;
  const changeDates = useChangeDates(client, photo.memory_id);
  const dateFormat = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "long" });
  return (
    <PhotoPanel title={t("details.title")} closeLabel={t("details.close")} onClose={onClose}>
      {editable ? (
        <CaptionForm client={client} photo={photo} />
      ) : (
        photo.caption && (
          <p dir="auto" className="font-serif text-lg whitespace-pre-line">
            {photo.caption}
          </p>
        )
      )}
      {(photo.taken_at || editable) && <TakenFact photo={photo} change={editable ? changeDates : undefined} />}
      <dl className="grid gap-3">
        {by && (
          <Fact name={t("details.by")}>
            <span dir="auto" className="wrap-anywhere">
              {by}
            </span>
          </Fact>
        )}
        <Fact name={t("details.added")}>{dateFormat.format(new Date(photo.created_at))}</Fact>
        <Fact name={t("details.file")}>
          {photo.file_name && (
            <>
              <span dir="auto" className="break-all">
                {photo.file_name}
              </span>
              <br />
            </>
          )}
          {sizeText(photo.size, localeOf(i18n.language))}
          {photo.width && photo.height && (
            <>
              {" · "}
              {t("details.pixels", { width: photo.width, height: photo.height })}
            </>
          )}
        </Fact>
      </dl>
    </PhotoPanel>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="m-0">{children}</dd>
    </div>
  );
}

interface TakenFactProps {
  photo: Photo;
  /** Undefined if the reader may not edit. */
  change: ReturnType<typeof useChangeDates> | undefined;
}

/** Renders a photo's date with its precision and source, and a button to change it. */
function TakenFact({ photo, change }: TakenFactProps) {
  const { t, i18n } = useTranslation("gallery");
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !open) button.current?.focus();
    wasOpen.current = open;
  }, [open]);
  const { taken_at, taken_source } = photo;
  if (open && change) {
    return (
      <DateForm
        date={taken_at}
        focused
        removable={taken_at !== null}
        onSave={(date) => {
          change([photo], date);
          setOpen(false);
        }}
        onCancel={() => setOpen(false)}
      />
    );
  }
  return (
    <div className="grid justify-items-start gap-2">
      <dl className="m-0">
        <dt className="text-sm text-ink-soft">{t(photo.type === "audio" ? "details.recorded" : "details.taken")}</dt>
        <dd className="m-0">
          {taken_at ? writtenDate(taken_at, i18n.language, { time: true }) : t("date.unknown")}
          {taken_at && taken_source === "name" && <Guess text={t("date.fromName")} />}
          {taken_at && taken_source === "takeout" && <Guess text={t("date.fromExport")} />}
        </dd>
      </dl>
      {change && (
        <Button icon={CalendarClock} ref={button} variant="quiet" size="small" onClick={() => setOpen(true)}>
          {t("date.set")}
        </Button>
      )}
    </div>
  );
}

const Guess = ({ text }: { text: string }) => <span className="block text-sm text-ink-soft">{text}</span>;
