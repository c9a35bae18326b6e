import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../data/media.queries.ts";
import type { Slideshow } from "../../data/slideshows.queries.ts";
import { writtenDuration } from "../../lib/formatting/duration.ts";
import { SelectField } from "../../ui/SelectField.tsx";
import { Switch } from "../../ui/Switch.tsx";

interface MusicFieldsProps {
  /** The recordings of the memory. */
  recordings: readonly Photo[];
  draft: Pick<Slideshow, "music_id" | "music_is_allowed">;
  onSave: (music: Pick<Slideshow, "music_id" | "music_is_allowed">) => void;
}

/** The music of a slideshow: a recording of the memory that the family may use. It counts when that is confirmed. */
export function MusicFields({ recordings, draft, onSave }: MusicFieldsProps) {
  const { t } = useTranslation("slideshows");
  const [picked, setPicked] = useState(draft.music_id ?? "");
  const nameOf = ({ caption, file_name, duration }: Photo) =>
    [caption || file_name || t("music.unnamed"), duration && writtenDuration(duration)].filter(Boolean).join(" · ");
  const pick = (id: string) => {
    setPicked(id);
    if (id === "") onSave({ music_id: null, music_is_allowed: false });
    else if (draft.music_is_allowed) onSave({ music_id: id, music_is_allowed: true });
  };
  if (recordings.length === 0 && picked === "") {
    return (
      <div className="grid gap-1">
        <p className="font-semibold">{t("music.label")}</p>
        <p className="text-sm text-ink-soft">{t("music.none")}</p>
      </div>
    );
  }
  return (
    <div className="grid gap-3">
      <SelectField
        label={t("music.label")}
        hint={t("music.hint")}
        value={recordings.some(({ id }) => id === picked) ? picked : ""}
        onChange={({ target }) => pick(target.value)}
        options={[["", t("music.silent")], ...recordings.map((one) => [one.id, nameOf(one)] as const)]}
      />
      {picked !== "" && (
        <Switch
          label={t("music.allowed")}
          text={draft.music_id ? t("music.allowedText") : t("music.needed")}
          checked={draft.music_id !== null && draft.music_is_allowed}
          onChange={(allowed) => onSave({ music_id: allowed ? picked : null, music_is_allowed: allowed })}
        />
      )}
    </div>
  );
}
