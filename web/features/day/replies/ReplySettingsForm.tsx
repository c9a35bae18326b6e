import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { DayPart } from "../../../data/day.queries.ts";
import { ReplyRefusal, type ReplySettings, useSaveReplySettings } from "../../../data/day-replies.queries.ts";
import { timeZones } from "../../../lib/formatting/time-zones.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { Button } from "../../../ui/Button.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { CheckLine } from "./CheckLine.tsx";
import { QuestionsEditor } from "./QuestionsEditor.tsx";
import {
  fieldsOfSettings,
  type SettingsFieldError,
  type SettingsFields,
  settingsFields,
  settingsOf,
} from "./settings-fields.ts";

interface ReplySettingsFormProps {
  client: SupabaseClient;
  memoryId: string;
  /** All parts of the day. */
  parts: readonly DayPart[];
  stored: ReplySettings | null;
  onClosed: () => void;
}

/** The form for how people reply: to which parts, until when, and for how many persons there are places. */
export function ReplySettingsForm({ client, memoryId, parts, stored, onClosed }: ReplySettingsFormProps) {
  const { t } = useTranslation("dayReplies");
  const [base] = useState(stored);
  const save = useSaveReplySettings(client, memoryId);
  const form = useForm<SettingsFields>({
    resolver: zodResolver(settingsFields),
    defaultValues: fieldsOfSettings(base, parts),
  });
  const { register, control, formState, watch } = form;
  const [zones] = useState(() => timeZones(form.getValues("time_zone")));
  const errorOf = (field: "closes" | "places") => {
    const message = formState.errors[field]?.message as SettingsFieldError | undefined;
    return message && { error: t(`settings.errors.${message}`) };
  };
  const isConflict = save.error instanceof ReplyRefusal && save.error.code === "conflict";
  return (
    <Form
      aria-label={t("settings.label")}
      onSubmit={form.handleSubmit((fields) => save.mutate(settingsOf(fields, base), { onSuccess: onClosed }))}
      error={save.isError ? new Error(isConflict ? t("settings.conflict") : t("settings.failed")) : null}
      className="rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-6"
    >
      <h3 className="font-serif text-2xl">{t("settings.label")}</h3>
      <fieldset className="m-0 min-w-0 border-0 p-0">
        <legend className="p-0 font-semibold">{t("settings.parts")}</legend>
        <p className="text-sm text-ink-soft">{t("settings.partsHint")}</p>
        {parts.map(({ id, title }) => (
          <CheckLine key={id} label={title} value={id} {...register("part_ids")} />
        ))}
      </fieldset>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          type="datetime-local"
          label={t("settings.closes")}
          hint={t("settings.closesHint")}
          {...errorOf("closes")}
          {...register("closes")}
        />
        <TextField
          inputMode="numeric"
          label={t("settings.places")}
          hint={t("settings.placesHint")}
          autoComplete="off"
          {...errorOf("places")}
          {...register("places")}
        />
      </div>
      {watch("closes") !== "" && (
        <SelectField
          label={t("settings.zone")}
          options={zones.map((zone) => [zone, zone.replaceAll("_", " ")])}
          {...register("time_zone")}
        />
      )}
      {watch("places") !== "" && (
        <Controller
          control={control}
          name="waiting_list"
          render={({ field }) => (
            <Switch
              label={t("settings.waitingList")}
              text={t("settings.waitingListText")}
              checked={field.value}
              onChange={field.onChange}
            />
          )}
        />
      )}
      <QuestionsEditor form={form} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="medium" busy={save.isPending}>
          {t("settings.save")}
        </SubmitButton>
        <Button variant="quiet" onClick={onClosed}>
          {t("settings.cancel")}
        </Button>
      </div>
    </Form>
  );
}
