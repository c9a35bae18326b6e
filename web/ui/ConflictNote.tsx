import { TriangleAlert } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";

interface ConflictNoteProps {
  /** The fields that both people changed, as text; empty for an empty field. */
  changes: readonly { label: string; theirs: string; mine: string }[];
  /** Whether the note has a heading. False in a dialog, whose title says it and has the focus. */
  titled?: boolean;
  /** Saves the reader's own values. */
  onMine: () => void;
  /** Leaves the other person's values, and saves the reader's other changes. */
  onTheirs: () => void;
  /** Saves both texts, one after the other; absent for fields that cannot hold both. */
  onBoth?: () => void;
}

/** Shows an edit conflict: what somebody else has saved, what the reader wrote, and the choice between them. */
export function ConflictNote({ changes, titled = true, onMine, onTheirs, onBoth }: ConflictNoteProps) {
  const { t } = useTranslation("conflict");
  const id = useId();
  const note = useRef<HTMLElement>(null);
  useEffect(() => {
    if (titled) note.current?.focus();
  }, [titled]);
  return (
    <section
      ref={note}
      tabIndex={-1}
      {...(titled ? { "aria-labelledby": id } : { "aria-label": t("title") })}
      className="grid gap-4 rounded-2xl outline-none data-titled:border data-titled:border-edge data-titled:bg-raised data-titled:p-4 sm:data-titled:p-5"
      data-titled={titled || undefined}
    >
      {titled && (
        <div className="grid gap-1">
          <h3 id={id} className="flex items-center gap-3 font-semibold">
            <TriangleAlert aria-hidden className="size-5 shrink-0 text-deep" />
            {t("title")}
          </h3>
          <p className="text-ink-soft">{t("text")}</p>
        </div>
      )}
      {changes.map(({ label, theirs, mine }) => (
        <dl key={label} className="m-0 grid gap-2">
          <dt className="font-semibold">{label}</dt>
          <Value from={t("theirs")} text={theirs || t("empty")} />
          <Value from={t("mine")} text={mine || t("empty")} />
        </dl>
      ))}
      <div className="flex flex-wrap gap-3">
        <Button size="small" onClick={onMine}>
          {t("useMine")}
        </Button>
        <Button size="small" variant="quiet" onClick={onTheirs}>
          {t("useTheirs")}
        </Button>
        {onBoth && (
          <Button size="small" variant="quiet" onClick={onBoth}>
            {t("useBoth")}
          </Button>
        )}
      </div>
    </section>
  );
}

const Value = ({ from, text }: { from: string; text: string }) => (
  <dd className="m-0 max-h-48 overflow-y-auto rounded-xl bg-sunken px-4 py-3 wrap-anywhere whitespace-pre-line">
    <span className="block text-sm text-ink-soft">{from}</span>
    <bdi>{text}</bdi>
  </dd>
);
