import { CalendarClock } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { writtenDate } from "../../../../shared/written-date.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { DateForm } from "../../../media/DateForm.tsx";
import { Button } from "../../../ui/Button.tsx";
import type { useChangeDates } from "./use-change-dates.ts";

interface TakenFactProps {
  photo: Photo;
  /** Undefined for those who may only read it. */
  change: ReturnType<typeof useChangeDates> | undefined;
}

/** When a photo was taken, how far that is a guess, and where it is corrected. */
export function TakenFact({ photo, change }: TakenFactProps) {
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
        <dt className="text-sm text-ink-soft">{t("details.taken")}</dt>
        <dd className="m-0">
          {taken_at ? writtenDate(taken_at, i18n.language, { time: true }) : t("date.unknown")}
          {taken_at && taken_source === "name" && <Guess text={t("date.fromName")} />}
          {taken_at && taken_source === "takeout" && <Guess text={t("date.fromExport")} />}
        </dd>
      </dl>
      {change && (
        <Button ref={button} variant="quiet" size="small" onClick={() => setOpen(true)}>
          <CalendarClock aria-hidden className="size-5" />
          {t("date.set")}
        </Button>
      )}
    </div>
  );
}

const Guess = ({ text }: { text: string }) => <span className="block text-sm text-ink-soft">{text}</span>;
