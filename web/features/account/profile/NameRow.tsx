import { zodResolver } from "@hookform/resolvers/zod";
import type { User } from "@supabase/supabase-js";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Name } from "../../../../shared/account.ts";
import { ConflictNote } from "../../../ui/ConflictNote.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { EditRow } from "./EditRow.tsx";
import { NameChanged, useSaveName } from "./profile.queries.ts";
import { useProfileTexts } from "./use-profile-texts.ts";

export function NameRow({ user }: { user: User }) {
  const { t } = useTranslation(["profile", "account"]);
  const [open, setOpen] = useState(false);
  const name = String(user.user_metadata.full_name ?? "");
  const close = () => {
    setOpen(false);
    toast({ title: t("name.saved"), tone: "success" });
  };
  return (
    <EditRow
      label={t("account:fullName")}
      value={name || t("none")}
      change={t("change")}
      open={open}
      onOpenChange={setOpen}
    >
      <NameForm name={name} onSaved={close} />
    </EditRow>
  );
}

function NameForm({ name, onSaved }: { name: string; onSaved: () => void }) {
  const { t } = useTranslation(["profile", "account"]);
  const texts = useProfileTexts();
  const save = useSaveName();
  const form = useForm({ resolver: zodResolver(Name), defaultValues: { fullName: name } });
  const [base] = useState(name);
  const conflict = save.error instanceof NameChanged ? save.error : undefined;
  const store = (fullName: string, over: string) => save.mutate({ fullName, base: over }, { onSuccess: onSaved });
  return (
    <Form
      onSubmit={form.handleSubmit(({ fullName }) => store(fullName, base))}
      error={conflict ? null : texts.failure(save.error)}
    >
      <TextField
        label={t("account:fullName")}
        autoComplete="name"
        error={texts.problem(form.formState.errors.fullName)}
        {...form.register("fullName")}
      />
      {conflict && (
        <ConflictNote
          changes={[{ label: t("account:fullName"), theirs: conflict.stored, mine: form.getValues("fullName") }]}
          onMine={form.handleSubmit(({ fullName }) => store(fullName, conflict.stored))}
          onTheirs={() => store(conflict.stored, conflict.stored)}
        />
      )}
      <SubmitButton size="medium" busy={save.isPending}>
        {t("save")}
      </SubmitButton>
    </Form>
  );
}
