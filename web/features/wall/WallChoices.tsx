import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { dateFormat } from "../../../shared/date-format.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { SelectField } from "../../ui/SelectField.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { addingLinksQuery, type Wall, type WallChanges } from "./walls.queries.ts";

interface WallChoicesProps extends Pick<MemoryContext, "client" | "memory"> {
  wall: Wall;
  onChange: (changes: WallChanges) => void;
}

const PACES = [5, 10, 20, 30, 60];
const HOURS = [12, 24, 168];
const HOUR_MS = 3_600_000;

/** What a wall shows, and how. Every change reaches all screens at once. */
export function WallChoices({ client, memory, wall, onChange }: WallChoicesProps) {
  const { t, i18n } = useTranslation("wallControl");
  const time = dateFormat(localeOf(i18n.language), { dateStyle: "medium", timeStyle: "short" });
  const links = useQuery(addingLinksQuery(client, memory.id)).data ?? [];
  const isTribute = memory.kind === "tribute";
  const switches = [
    ["shows_pictures", "pictures", isTribute ? t("shows.tribute") : undefined],
    ["shows_words", "words"],
    ["shows_candles", "candles"],
    ["shows_names", "names"],
    ["plays_sound", "sound", t("shows.soundText")],
  ] as const;
  const end = wall.expires_at;
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap gap-3">
        <SegmentedControl
          label={t("layout.label")}
          value={wall.layout}
          onChange={(layout) => onChange({ layout })}
          options={(["one", "mosaic"] as const).map((value) => ({ value, label: t(`layout.${value}`) }))}
        />
        <SegmentedControl
          label={t("room.label")}
          value={wall.is_dark ? "dark" : "light"}
          onChange={(room) => onChange({ is_dark: room === "dark" })}
          options={(["dark", "light"] as const).map((value) => ({ value, label: t(`room.${value}`) }))}
        />
      </div>
      <SelectField
        label={t("pace.label")}
        value={wall.pace}
        onChange={({ target }) => onChange({ pace: Number(target.value) })}
        options={[...new Set([...PACES, wall.pace])]
          .sort((a, b) => a - b)
          .map((count) => [String(count), t("pace.seconds", { count })] as const)}
      />
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-serif text-lg">{t("shows.title")}</legend>
        {switches.map(([column, name, text]) => (
          <Switch
            key={column}
            label={t(`shows.${name}`)}
            {...(text && { text })}
            checked={wall[column]}
            onChange={(checked) => onChange({ [column]: checked })}
          />
        ))}
      </fieldset>
      <SelectField
        label={t("qr.label")}
        hint={t(links.length === 0 ? "qr.none" : "qr.hint")}
        value={wall.link_id ?? ""}
        onChange={({ target }) => onChange({ link_id: target.value || null })}
        options={[
          ["", t("qr.without")] as const,
          ...links.map(
            ({ id, label, rights, is_first }) =>
              [id, label || t(is_first ? "qr.first" : `qr.${rights as "upload"}`)] as const,
          ),
        ]}
      />
      <SelectField
        label={t("ends.label")}
        value={end ?? ""}
        onChange={({ target }) =>
          onChange({
            expires_at: target.value
              ? new Date(wall.clock + performance.now() + Number(target.value) * HOUR_MS).toISOString()
              : null,
          })
        }
        options={[
          ["", t("ends.never")] as const,
          ...(end ? [[end, time.format(new Date(end))] as const] : []),
          ...HOURS.map((hours) => [String(hours), t(`ends.in.${hours as 12}`)] as const),
        ]}
      />
    </div>
  );
}
