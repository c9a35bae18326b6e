import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { localTimeIn } from "../../../shared/zoned-time.ts";
import { dayQuery } from "../../data/day.queries.ts";
import { type RevealChanges, RevealConflict, useChangeReveal } from "../../data/reveal.queries.ts";
import { isWaiting, type Reveal } from "../../data/reveal.ts";
import { nextMorning, revealMoment } from "../../data/reveal-times.ts";
import { timeZones } from "../../lib/formatting/time-zones.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { Button } from "../../ui/Button.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { SelectField } from "../../ui/SelectField.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { revealTimeText } from "./reveal-text.ts";

type Choice = "off" | "morning" | "time" | "press";

interface RevealFormProps {
  client: SupabaseClient;
  memory: { id: string; event_date: string | null };
  stored: Reveal | null;
  onClosed: () => void;
}

/** The form for when a memory's guests see what others have added: at once, at a time, or when a manager reveals it. */
export function RevealForm({ client, memory, stored, onClosed }: RevealFormProps) {
  const { t, i18n } = useTranslation("reveal");
  const parts = useQuery(dayQuery(client, memory.id)).data ?? [];
  const save = useChangeReveal(client, memory.id);
  const [now] = useState(serverNow);
  const waits = isWaiting(stored, now);
  const [choice, setChoice] = useState<Choice>(!waits ? "off" : stored.reveal_at === null ? "press" : "time");
  const [zoneChoice, setZone] = useState(stored?.reveal_at ? stored.time_zone : undefined);
  const zone = zoneChoice ?? parts[0]?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [zones] = useState(() => timeZones(zone));
  const [at, setAt] = useState(waits && stored.reveal_at ? localTimeIn(zone, new Date(stored.reveal_at)) : "");
  const [error, setError] = useState<"time" | "past">();
  const lastDay = parts.reduce<string | null>(
    (last, { on_date }) => (last && last > on_date ? last : on_date),
    /^\d{4}-\d\d-\d\d$/.test(memory.event_date ?? "") ? memory.event_date : null,
  );
  const morning = revealMoment(nextMorning(lastDay, zone, now), zone);

  function submit() {
    const changes = ((): RevealChanges | "time" | "past" => {
      if (choice === "off") return { revealed: true };
      if (choice === "press") return { reveal_at: null, ...(stored && { revealed: false }) };
      if (choice === "time" && !at) return "time";
      const moment = choice === "morning" ? morning : revealMoment(at, zone);
      if (Date.parse(moment) <= serverNow()) return "past";
      return { reveal_at: moment, time_zone: zone, ...(stored && { revealed: false }) };
    })();
    setError(typeof changes === "string" ? changes : undefined);
    if (typeof changes === "string") return;
    if (choice === "off" && !waits) return onClosed();
    save.mutate({ ...changes, stored }, { onSuccess: onClosed });
  }

  const options: [Choice, string][] = [
    ["off", t("form.choice.off")],
    ["morning", t("form.choice.morning", { time: revealTimeText(morning, zone, i18n.language) })],
    ["time", t("form.choice.time")],
    ["press", t("form.choice.press")],
  ];
  return (
    <Form
      aria-label={t("form.label")}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      error={save.isError ? new Error(t(save.error instanceof RevealConflict ? "form.conflict" : "form.failed")) : null}
    >
      <p className="text-ink-soft">{t("form.text")}</p>
      <fieldset className="m-0 min-w-0 border-0 p-0">
        <legend className="p-0 font-semibold">{t("form.label")}</legend>
        {options.map(([value, label]) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              name={`reveal-${memory.id}`}
              className="size-5 shrink-0 accent-deep"
              checked={choice === value}
              onChange={() => setChoice(value)}
            />
            <span className="min-w-0 first-letter:uppercase">{label}</span>
          </label>
        ))}
      </fieldset>
      {choice === "time" && (
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            type="datetime-local"
            label={t("form.at")}
            value={at}
            onChange={({ target }) => setAt(target.value)}
            {...(error && { error: t(`form.errors.${error}`) })}
          />
          <SelectField
            label={t("form.zone")}
            options={zones.map((name) => [name, name.replaceAll("_", " ")])}
            value={zone}
            onChange={({ target }) => setZone(target.value)}
          />
        </div>
      )}
      {choice !== "off" && <p className="text-sm text-ink-soft">{t("form.seen")}</p>}
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="medium" busy={save.isPending}>
          {t("form.save")}
        </SubmitButton>
        <Button variant="quiet" onClick={onClosed}>
          {t("form.cancel")}
        </Button>
      </div>
    </Form>
  );
}
