import { zodResolver } from "@hookform/resolvers/zod";
import { Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { type PartBase, useSavePart } from "../../data/day.queries.ts";
import type { Memory } from "../../data/memories.queries.ts";
import { changedFields, EditConflict } from "../../data/save-over.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { Button } from "../../ui/Button.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { PartConflict } from "./PartConflict.tsx";
import {
  type FieldError,
  factsOf,
  fieldsOf,
  newFields,
  PART_KINDS,
  type PartFields,
  partFields,
} from "./part-fields.ts";
import {
  MoreFields,
  type PartFormField,
  PlaceFields,
  StreamFields,
  TimeFields,
  WayFields,
} from "./part-form-fields.tsx";

interface PartFormProps {
  client: SupabaseClient;
  memory: Pick<Memory, "id" | "kind" | "event_date">;
  /** The part to edit, with its livestream; absent for a new one. */
  stored?: PartBase;
  /** The day of the parts that exist already. */
  day?: string;
  onClosed: () => void;
  /** Deletes the stored part. */
  onRemove?: () => void;
}

/** The form that adds a part of the day, or edits one in place. */
export function PartForm({ client, memory, stored, day, onClosed, onRemove }: PartFormProps) {
  const { t } = useTranslation("day");
  const [id] = useState(() => stored?.id ?? crypto.randomUUID());
  // The part as the form opened with it. The cache may hold a newer one, which must not be overwritten unseen.
  const [base] = useState(stored);
  const save = useSavePart(client, memory.id, onClosed);
  const conflict = save.error instanceof EditConflict ? (save.error as EditConflict<PartBase>) : undefined;
  const kindName = (part: PartFields["part"]) => t(`parts.${part}`);
  const form = useForm<PartFields>({
    resolver: zodResolver(partFields),
    defaultValues: base
      ? fieldsOf(base, kindName(base.part))
      : newFields(
          PART_KINDS[memory.kind][0],
          day ?? memory.event_date,
          Intl.DateTimeFormat().resolvedOptions().timeZone,
        ),
  });
  const { register, formState, control, setFocus } = form;
  useEffect(() => setFocus("part"), [setFocus]);
  const fieldOf: PartFormField = (name) => {
    const message = formState.errors[name]?.message as FieldError | undefined;
    return { ...(message && { error: t(`edit.errors.${message}`) }), ...register(name) };
  };
  const submit = (fields: PartFields) => {
    const now = new Date(serverNow());
    const facts = factsOf(fields, kindName(fields.part), now);
    if (!base) return save.mutate({ id, facts });
    // A value that only the form writes otherwise is no change.
    const initialFacts = factsOf(fieldsOf(base, kindName(base.part)), kindName(base.part), now);
    save.mutate({ base, changes: changedFields(initialFacts, facts) });
  };
  return (
    <Form
      onSubmit={form.handleSubmit(submit)}
      error={save.isError && !conflict ? new Error(t("edit.saveFailed")) : null}
      className="rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-6"
    >
      <TimeFields kinds={PART_KINDS[memory.kind]} base={base} fieldOf={fieldOf} />
      <PlaceFields fieldOf={fieldOf} />
      <WayFields fieldOf={fieldOf} base={base} errors={formState.errors} />
      <StreamFields fieldOf={fieldOf} base={base} errors={formState.errors} />
      <MoreFields fieldOf={fieldOf} base={base} errors={formState.errors} />
      <TextArea label={t("edit.note")} {...fieldOf("note")} />
      <Controller
        control={control}
        name="audience"
        render={({ field }) => (
          <div className="grid gap-1.5">
            <span className="font-semibold">{t("edit.audience")}</span>
            <SegmentedControl
              label={t("edit.audience")}
              value={field.value}
              onChange={field.onChange}
              column="phones"
              options={(["all", "members"] as const).map((value) => ({ value, label: t(`edit.${value}`) }))}
            />
          </div>
        )}
      />
      {conflict && (
        <PartConflict conflict={conflict} onChoice={(changes) => save.mutate({ base: conflict.stored, changes })} />
      )}
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="medium" busy={save.isPending}>
          {t("edit.save")}
        </SubmitButton>
        <Button variant="quiet" onClick={onClosed}>
          {t("edit.cancel")}
        </Button>
        {onRemove && (
          <Button icon={Trash2} variant="plain" className="ms-auto" onClick={onRemove}>
            {t("edit.remove")}
          </Button>
        )}
      </div>
    </Form>
  );
}
