import { zodResolver } from "@hookform/resolvers/zod";
import type { User } from "@supabase/supabase-js";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Code, Credentials } from "../../../../shared/account.ts";
import { heldPlansQuery } from "../../../data/held-plans.queries.ts";
import { memoryCountQuery } from "../../../data/memories.queries.ts";
import { dateText, localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { CodeField } from "../CodeField.tsx";
import { PasswordField } from "../PasswordField.tsx";
import { deletionLossesQuery, useAskForProof, useDeleteAccount } from "./profile.queries.ts";
import { useProfileTexts } from "./use-profile-texts.ts";

/** Deletes the account permanently. The dialog lists what will be lost. */
export function DeleteAccount({ user }: { user: User }) {
  const { t, i18n } = useTranslation("profile");
  const [open, setOpen] = useState(false);
  const memories = useQuery(memoryCountQuery(supabase, user.id));
  const plans = useQuery(heldPlansQuery(supabase, user.id));
  const { data: losses } = useQuery({ ...deletionLossesQuery(user.id), enabled: open });
  return (
    <>
      <Button variant="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        {t("delete.open")}
      </Button>
      <Dialog title={t("delete.sure")} description={t("delete.final")} open={open} onOpenChange={setOpen}>
        <ul className="grid list-disc gap-2 ps-6 pb-6 wrap-anywhere">
          {memories.data !== 0 && (
            <li>{memories.data ? t("delete.memories", { count: memories.data }) : t("delete.allMemories")}</li>
          )}
          {plans.data?.map(({ name, expires_at }) => (
            <li key={expires_at}>
              {t("delete.plan", { plan: name, date: dateText(expires_at, localeOf(i18n.language)) })}
            </li>
          ))}
          {PURCHASES.map(
            (kind) => losses && losses[kind] > 0 && <li key={kind}>{t(`delete.${kind}`, { count: losses[kind] })}</li>,
          )}
          <li>{t("delete.links")}</li>
          <li>{t("delete.you", { email: user.email })}</li>
        </ul>
        <DeleteForm email={user.email ?? ""} onCancel={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

const PURCHASES = ["payments", "boughtCards", "includedCards"] as const;

const Password = Credentials.pick({ password: true });

/** Asks for the password or an emailed code to confirm the person's identity. */
function DeleteForm({ email, onCancel }: { email: string; onCancel: () => void }) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const remove = useDeleteAccount(() => toast({ title: t("delete.done"), description: t("delete.doneText") }));
  const proof = useAskForProof();
  const byPassword = useForm({ resolver: zodResolver(Password), defaultValues: { password: "" } });
  const byCode = useForm({ resolver: zodResolver(Code), defaultValues: { code: "" } });
  const wrong = remove.error && "code" in remove.error && remove.error.code === "invalid_credentials";
  const submit = proof.isSuccess
    ? byCode.handleSubmit(({ code }) => remove.mutate({ nonce: code }))
    : byPassword.handleSubmit((fields) => remove.mutate(fields));
  return (
    <Form
      onSubmit={submit}
      error={wrong ? new Error(t("delete.wrongPassword")) : texts.failure(remove.error ?? proof.error)}
    >
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {proof.isSuccess ? (
        <CodeField
          hint={t("password.proof", { email })}
          error={texts.problem(byCode.formState.errors.code)}
          {...byCode.register("code")}
        />
      ) : (
        <>
          <PasswordField
            autoComplete="current-password"
            error={texts.problem(byPassword.formState.errors.password)}
            {...byPassword.register("password")}
          />
          <Button
            variant="plain"
            size="small"
            className="-ms-4 justify-self-start"
            onClick={() => !proof.isPending && proof.mutate()}
          >
            {t("delete.noPassword")}
          </Button>
        </>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onCancel}>
          {t("delete.keep")}
        </Button>
        <SubmitButton variant="danger" size="medium" busy={remove.isPending}>
          {t("delete.submit")}
        </SubmitButton>
      </div>
    </Form>
  );
}
