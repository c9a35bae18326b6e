import { ChevronDown, type LucideIcon } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ShareRights } from "../../../../shared/share.ts";
import { serverNow } from "../../../lib/request/server-clock.ts";
import { Button } from "../../../ui/Button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { TextField } from "../../../ui/TextField.tsx";
import { dayOf, END_PRESETS, endAfter, endOn } from "./link-state.ts";
import type { ShareLink } from "./links.queries.ts";

interface SettingProps {
  icon: LucideIcon;
  title: string;
  /** Text of the setting's current value. */
  state: string;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/** Renders a setting of a link with its current value in one line, which expands to the choices. */
export function Setting({ icon: Icon, title, state, open, onToggle, children }: SettingProps) {
  const id = useId();
  return (
    <section aria-labelledby={`${id}-title`}>
      <h4>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={onToggle}
          className="-mx-2 flex min-h-14 w-[calc(100%+(--spacing(4)))] cursor-pointer items-center gap-3 rounded-xl px-2 py-2 text-start transition-colors duration-200 ease-out hover:bg-wash"
        >
          <Icon aria-hidden className="size-5 shrink-0 text-deep" />
          <span className="grid grow">
            <span id={`${id}-title`} className="font-semibold">
              {title}
            </span>
            <span className="text-sm text-ink-soft">{state}</span>
          </span>
          <ChevronDown
            aria-hidden
            className={classNames(
              "size-5 shrink-0 text-ink-soft transition-transform duration-200 ease-out",
              open && "rotate-180",
            )}
          />
        </button>
      </h4>
      {open && (
        <div id={id} className="grid gap-4 pt-2 pb-4">
          {children}
        </div>
      )}
    </section>
  );
}

interface LinkEndProps {
  /** Expiry date of the link (ISO 8601); null for none. */
  value: string | null;
  onChange: (end: string | null) => void;
}

/** Renders the choice of a link's expiry date: none, a preset, or the end of a chosen day. */
export function LinkEnd({ value, onChange }: LinkEndProps) {
  const { t } = useTranslation("sharing");
  const [day, setDay] = useState(() => (value === null ? "" : dayOf(new Date(value))));
  const [wrong, setWrong] = useState(false);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {END_PRESETS.map((preset) => (
          <Button
            key={preset}
            variant="quiet"
            size="small"
            onClick={() => onChange(endAfter(preset, new Date(serverNow())).toISOString())}
          >
            {t(`end.${preset}`)}
          </Button>
        ))}
        {value !== null && (
          <Button variant="quiet" size="small" onClick={() => onChange(null)}>
            {t("end.remove")}
          </Button>
        )}
      </div>
      <form
        noValidate
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const end = endOn(day, new Date(serverNow()));
          if (end) onChange(end.toISOString());
          else setWrong(true);
        }}
      >
        <TextField
          type="date"
          label={t("end.day")}
          hint={t("end.dayHint")}
          error={wrong ? t("end.dayWrong") : undefined}
          min={dayOf(new Date(serverNow()))}
          value={day}
          onChange={({ target }) => {
            setDay(target.value);
            setWrong(false);
          }}
        />
        <Button type="submit" size="small" className="min-h-12" disabled={day === ""}>
          {t("end.save")}
        </Button>
      </form>
    </>
  );
}

interface LinkRightsProps {
  /** The link's target: an album has no upload-only link, because its visitors could not choose a memory. */
  of: "memory" | "album";
  value: ShareRights;
  onChange: (rights: ShareRights) => void;
}

const OFFERED: Record<LinkRightsProps["of"], readonly ShareRights[]> = {
  memory: ["view", "comment", "contribute", "upload"],
  album: ["view", "comment", "contribute"],
};

/** Renders the choice of a link's rights. */
export function LinkRights({ of, value, onChange }: LinkRightsProps) {
  const { t } = useTranslation("sharing");
  // Rights that are no longer offered are listed only if the link has them.
  const offered = OFFERED[of];
  const choices = (offered.includes(value) ? offered : [...offered, value]).map((rights) => ({
    value: rights,
    title: t(`rights.${rights}`),
    text: t(`rights.${rights}Text`),
  }));
  return <Choices label={t("rights.title")} choices={choices} value={value} onChange={onChange} />;
}

interface LinkPreviewProps {
  link: Pick<ShareLink, "preview" | "asks" | "rights">;
  onChange: (preview: ShareLink["preview"]) => void;
}

/** Renders the choice of what a link's preview tells in messengers. With a PIN or passphrase, it tells nothing. */
export function LinkPreview({ link, onChange }: LinkPreviewProps) {
  const { t } = useTranslation("sharing");
  // People with an upload-only link may not see the cover either.
  const values = link.rights === "upload" ? PREVIEWS.filter((preview) => preview !== "cover") : PREVIEWS;
  const choices = values.map((preview) => ({
    value: preview,
    title: t(`preview.${preview}`),
    text: t(`preview.${preview}Text`),
  }));
  return (
    <>
      {link.asks && <p className="rounded-xl bg-wash px-4 py-3">{t(`preview.${link.asks}Note`)}</p>}
      <Choices label={t("preview.title")} choices={choices} value={link.preview} onChange={onChange} />
    </>
  );
}

const PREVIEWS = ["nothing", "name", "cover"] as const;

interface ChoicesProps<Value extends string> {
  label: string;
  choices: readonly { value: Value; title: string; text: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Renders a choice of one, each with an explanation. */
function Choices<Value extends string>({ label, choices, value, onChange }: ChoicesProps<Value>) {
  const name = useId();
  return (
    <fieldset className="m-0 grid gap-2 border-0 p-0">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex min-h-14 cursor-pointer items-start gap-3 rounded-xl border border-edge px-4 py-3 transition-colors duration-200 ease-out hover:border-deep has-checked:border-deep has-checked:bg-wash has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-deep"
        >
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="mt-1 size-5 shrink-0 accent-deep"
          />
          <span className="grid">
            <span className="font-semibold">{choice.title}</span>
            <span className="text-sm text-ink-soft">{choice.text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
