import "../../i18n/namespaces/gallery.ts";
import { CalendarClock, EyeOff, Film, Hourglass, Pencil, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApproximateDate } from "../../../shared/approximate-date.ts";
import { writtenDate } from "../../../shared/written-date.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { renditionUrl } from "../../lib/request/rendition-url.ts";
import { DateForm } from "../../media/DateForm.tsx";
import { Picture } from "../../media/Picture.tsx";
import { Button } from "../../ui/Button.tsx";
import { type Addition, textOf } from "./own-additions.queries.ts";
import { TextForm } from "./TextForm.tsx";

interface OwnAdditionProps {
  addition: Addition;
  /** The signed address of a photo. */
  url?: string;
  busy: boolean;
  problem?: string;
  onSave: (text: string) => Promise<unknown>;
  onDate: (date: ApproximateDate | null) => void;
  onWithdraw: () => void;
}

const LONGEST = { caption: 2000, words: 20_000 };

/** The receipt of one file, or of words, with what its adder may still do with it. */
export function OwnAddition({ addition, url, busy, problem, onSave, onDate, onWithdraw }: OwnAdditionProps) {
  const { kind, file_name, state, text, moderation, created_at, taken_at } = addition;
  const { t, i18n } = useTranslation("guests");
  const [editing, setEditing] = useState<"text" | "date">();
  const time = new Intl.DateTimeFormat(localeOf(i18n.language), { timeStyle: "short" }).format(new Date(created_at));
  const words = kind === "words" ? textOf(text) : text;
  const name = kind === "words" ? words.slice(0, 40) : file_name;
  const edit = kind === "words" ? "editWords" : text ? "editCaption" : "addCaption";
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line py-4 first:border-0 first:pt-0 last:pb-0">
      <div className="flex items-start gap-3">
        {kind !== "words" && (
          <Picture
            photo={{ colour: null }}
            src={url && kind === "image" && state === "ready" ? renditionUrl(url, 320) : undefined}
            sizes="64px"
            alt=""
            className="size-16 shrink-0 rounded-lg"
          >
            {kind === "video" && (
              <span className="absolute inset-0 grid place-content-center text-ink-soft">
                <Film aria-hidden className="size-6" />
              </span>
            )}
          </Picture>
        )}
        <div className="grid min-w-0 grow gap-1">
          <p className="text-sm text-ink-soft tabular-nums wrap-anywhere">
            {kind === "words" ? t("mine.words", { time }) : t("mine.received", { time, name: file_name })}
          </p>
          {taken_at && (
            <p className="text-sm text-ink-soft">{t("mine.taken", { date: writtenDate(taken_at, i18n.language) })}</p>
          )}
          {editing !== "text" && words && <p className="line-clamp-6 whitespace-pre-line wrap-anywhere">{words}</p>}
          {moderation !== "shown" && (
            <p className="flex items-center gap-2 text-sm font-semibold text-ink-soft">
              {moderation === "held" ? (
                <Hourglass aria-hidden className="size-4 shrink-0" />
              ) : (
                <EyeOff aria-hidden className="size-4 shrink-0" />
              )}
              {t(`mine.${moderation}`)}
            </p>
          )}
        </div>
      </div>
      {editing === "date" ? (
        <DateForm
          focused
          date={taken_at}
          removable={taken_at !== null}
          onSave={(date) => {
            onDate(date);
            setEditing(undefined);
          }}
          onCancel={() => setEditing(undefined)}
        />
      ) : editing === "text" ? (
        <TextForm
          label={kind === "words" ? t("write.label") : t("mine.caption")}
          submit={t("write.save")}
          initial={words}
          longest={kind === "words" ? LONGEST.words : LONGEST.caption}
          mayBeEmpty={kind !== "words"}
          busy={busy}
          problem={problem}
          onCancel={() => setEditing(undefined)}
          onSave={(written) =>
            void onSave(written).then(
              () => setEditing(undefined),
              () => {},
            )
          }
        />
      ) : (
        <div className="flex flex-wrap gap-1">
          <Button variant="quiet" size="small" onClick={() => setEditing("text")}>
            <Pencil aria-hidden className="size-4" />
            {t(`mine.${edit}`)}
          </Button>
          {kind !== "words" && (
            <Button variant="quiet" size="small" onClick={() => setEditing("date")}>
              <CalendarClock aria-hidden className="size-4" />
              {t(taken_at ? "mine.changeDate" : "mine.setDate")}
            </Button>
          )}
          <Button variant="plain" size="small" aria-label={t("mine.withdrawNamed", { name })} onClick={onWithdraw}>
            <Undo2 aria-hidden className="size-4" />
            {t("mine.withdraw")}
          </Button>
        </div>
      )}
    </li>
  );
}
