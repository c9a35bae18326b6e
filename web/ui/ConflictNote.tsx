import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";

interface ConflictNoteProps {
  /** The fields that both people changed, as text; empty for an empty field. */
  changes: readonly { label: string; theirs: string; mine: string }[];
  /** Saves the reader's own values. */
  onMine: () => void;
  /** Leaves the other person's values, and saves the reader's other changes. */
  onTheirs: () => void;
}

/** Shows an edit conflict: what somebody else has saved, what the reader wrote, and the choice between them. */
export function ConflictNote({ changes, onMine, onTheirs }: ConflictNoteProps) {
  const { t } = useTranslation("common");
  const id = useId();
  return (
    <section
      role="alert"
      aria-labelledby={id}
      className="grid gap-4 rounded-2xl border border-edge bg-wash p-4 text-ink sm:p-5"
    >
      <div className="grid gap-1">
        <h3 id={id} className="font-semibold">
          {t("conflict.title")}
        </h3>
        <p className="text-ink-soft">{t("conflict.text")}</p>
      </div>
      {changes.map(({ label, theirs, mine }) => (
        <dl key={label} className="m-0 grid gap-2">
          <dt className="font-semibold">{label}</dt>
          <dd className="m-0 wrap-anywhere whitespace-pre-line">
            <span className="block text-sm text-ink-soft">{t("conflict.theirs")}</span>
            {theirs || t("conflict.empty")}
          </dd>
          <dd className="m-0 wrap-anywhere whitespace-pre-line">
            <span className="block text-sm text-ink-soft">{t("conflict.mine")}</span>
            {mine || t("conflict.empty")}
          </dd>
        </dl>
      ))}
      <div className="flex flex-wrap gap-3">
        <Button size="small" onClick={onMine}>
          {t("conflict.useMine")}
        </Button>
        <Button size="small" variant="quiet" onClick={onTheirs}>
          {t("conflict.useTheirs")}
        </Button>
      </div>
    </section>
  );
}
