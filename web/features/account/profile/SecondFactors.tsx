import { zodResolver } from "@hookform/resolvers/zod";
import type { User } from "@supabase/supabase-js";
import { Check, Copy, MessageSquareText, ScanQrCode } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Code, Phone } from "../../../../shared/account.ts";
import { useCopy } from "../../../lib/browser/use-copy.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog, Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { CodeField } from "../CodeField.tsx";
import { useAddAuthenticator, useAddPhone, useConfirmFactor, useRemoveFactor } from "./profile.queries.ts";
import { useProfileTexts } from "./use-profile-texts.ts";

/** The second factors: authenticator apps and phones. */
export function SecondFactors({ user }: { user: User }) {
  const { t, i18n } = useTranslation("profile");
  const [adding, setAdding] = useState<"totp" | "phone">();
  const [removing, setRemoving] = useState<string>();
  const factors = (user.factors ?? []).filter(({ status }) => status === "verified");
  const day = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "long" });
  const stop = () => setAdding(undefined);
  return (
    <>
      {factors.length === 0 && <p>{t("factors.none")}</p>}
      {factors.length > 0 && (
        <ul className="grid gap-4">
          {factors.map(({ id, factor_type, friendly_name, created_at }) => {
            const Icon = factor_type === "phone" ? MessageSquareText : ScanQrCode;
            const kind = t(factor_type === "phone" ? "factors.phone" : "factors.totp");
            return (
              <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2">
                <Icon aria-hidden className="size-6 shrink-0 text-ink-soft" />
                <div className="min-w-0 grow basis-40">
                  <p className="font-semibold">{friendly_name || kind}</p>
                  <p className="text-sm text-ink-soft">
                    {kind} · {t("factors.since", { date: day.format(new Date(created_at)) })}
                  </p>
                </div>
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={t("factors.removeOne", { name: friendly_name || kind })}
                  onClick={() => setRemoving(id)}
                >
                  {t("remove")}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="quiet" onClick={() => setAdding("totp")}>
          {t("factors.addTotp")}
        </Button>
        <Button variant="quiet" onClick={() => setAdding("phone")}>
          {t("factors.addPhone")}
        </Button>
      </div>
      {adding === "totp" && <AddAuthenticator factorCount={factors.length} onClose={stop} />}
      {adding === "phone" && <AddPhone onClose={stop} />}
      {removing !== undefined && (
        <RemoveFactor factorId={removing} last={factors.length === 1} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

/** Adds a phone as second factor: asks for its number, then for the code from the text message. */
function AddPhone({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const add = useAddPhone();
  const form = useForm({ resolver: zodResolver(Phone), defaultValues: { phone: "" } });
  return (
    <Dialog title={t("factors.addPhone")} description={t("factors.phoneText")} open onOpenChange={onClose}>
      {add.data ? (
        <FactorCode factor={add.data} hint={t("phone.sent", { phone: add.variables })} onDone={onClose} />
      ) : (
        <Form onSubmit={form.handleSubmit(({ phone }) => add.mutate(phone))} error={texts.failure(add.error)}>
          <TextField
            label={t("phone.label")}
            hint={t("phone.hint")}
            type="tel"
            autoComplete="tel"
            error={texts.problem(form.formState.errors.phone)}
            {...form.register("phone")}
          />
          <SubmitButton size="medium" busy={add.isPending}>
            {t("phone.submit")}
          </SubmitButton>
        </Form>
      )}
    </Dialog>
  );
}

interface RemoveFactorProps {
  factorId: string;
  /** Whether it is the last second factor. */
  last: boolean;
  onClose: () => void;
}

/** Asks for confirmation before a second factor is removed, because adding it again requires a new setup. */
function RemoveFactor({ factorId, last, onClose }: RemoveFactorProps) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const remove = useRemoveFactor();
  const done = () => {
    toast({ title: t("factors.removed") });
    onClose();
  };
  return (
    <ConfirmDialog
      title={t("factors.removeTitle")}
      description={t(last ? "factors.removeLast" : "factors.removeText")}
      open
      onOpenChange={onClose}
      confirm={t("remove")}
      cancel={t("cancel")}
      busy={remove.isPending}
      failure={texts.failure(remove.error)?.message}
      onConfirm={() => remove.mutate(factorId, { onSuccess: done })}
    />
  );
}

interface AddAuthenticatorProps {
  /** The number of existing factors, from which the name of the new app is numbered. */
  factorCount: number;
  onClose: () => void;
}

/** Adds an authenticator app: shows a QR code and key, then asks for a first code. Without it, the app is not used. */
function AddAuthenticator({ factorCount, onClose }: AddAuthenticatorProps) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const { mutate, data, error } = useAddAuthenticator();
  const name = factorCount === 0 ? t("factors.totp") : `${t("factors.totp")} ${factorCount + 1}`;
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    mutate(name);
  }, [mutate, name]);
  return (
    <Dialog title={t("factors.addTotp")} description={t("factors.scan")} open onOpenChange={onClose}>
      {error && <Problem error={texts.failure(error) ?? error} retry={() => mutate(name)} />}
      {!error && (
        <div className="grid gap-6">
          <div className="grid items-center gap-5 sm:grid-cols-[11rem_1fr]">
            {data ? (
              <img src={data.picture} alt={t("factors.picture")} className="size-44 rounded-2xl bg-white p-3" />
            ) : (
              <Skeleton className="size-44" />
            )}
            <div className="grid min-w-0 gap-1">
              <p className="text-ink-soft">{t("factors.key")}</p>
              <p className="min-h-20 font-mono text-lg select-all" data-key>
                {data?.key.match(/.{1,4}/g)?.join(" ")}
              </p>
              {data && <SamePhone secret={data.key} uri={data.uri} />}
            </div>
          </div>
          {data && <FactorCode factor={data} hint={t("factors.firstCode")} onDone={onClose} />}
        </div>
      )}
    </Dialog>
  );
}

/** For a person whose authenticator app is on this device, which cannot scan its own screen. */
function SamePhone({ secret, uri }: { secret: string; uri: string }) {
  const { t } = useTranslation("profile");
  const { result, copy } = useCopy(secret);
  const Icon = result === "copied" ? Check : Copy;
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" variant="quiet" onClick={copy}>
        <Icon aria-hidden className="size-5" />
        {t(result === "copied" ? "factors.copied" : "factors.copy")}
      </Button>
      <Button asChild size="small" variant="quiet">
        <a href={uri}>{t("factors.openApp")}</a>
      </Button>
      <p role="status" className={result === "failed" ? "text-sm text-danger-text" : "sr-only"}>
        {result === "copied" && t("factors.copied")}
        {result === "failed" && t("factors.copyFailed")}
      </p>
    </div>
  );
}

interface FactorCodeProps {
  factor: { id: string; challengeId?: string };
  hint: string;
  onDone: () => void;
}

/** Asks for a new factor's first code. */
function FactorCode({ factor, hint, onDone }: FactorCodeProps) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const confirm = useConfirmFactor();
  const form = useForm({ resolver: zodResolver(Code), defaultValues: { code: "" } });
  const done = () => {
    toast({ title: t("factors.added"), tone: "success" });
    onDone();
  };
  return (
    <Form
      onSubmit={form.handleSubmit(({ code }) => confirm.mutate({ ...factor, code }, { onSuccess: done }))}
      error={texts.failure(confirm.error)}
    >
      <CodeField hint={hint} error={texts.problem(form.formState.errors.code)} {...form.register("code")} />
      <SubmitButton size="medium" busy={confirm.isPending}>
        {t("factors.confirm")}
      </SubmitButton>
    </Form>
  );
}
