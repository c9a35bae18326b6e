import { zodResolver } from "@hookform/resolvers/zod";
import { useCallback, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Code } from "../../../shared/account.ts";
import { useBotCheck } from "../../actions/bot-check/use-bot-check.tsx";
import { Button } from "../../ui/Button.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { AccountShell } from "./AccountShell.tsx";
import { type MailPurpose, useMailedCode, useSendMail } from "./account.queries.ts";
import { CodeField } from "./CodeField.tsx";
import { useAccountTexts } from "./use-account-texts.ts";

interface CheckInboxProps {
  email: string;
  purpose: MailPurpose;
  /** Returns to the address form. */
  onBack: () => void;
}

/** The server's minimum time in seconds between two messages to one address. */
const PAUSE = 60;

/** Shown after a message was sent. Its code can be typed here, e.g. if it is read on another device. */
export function CheckInbox({ email, purpose, onBack }: CheckInboxProps) {
  const { t } = useTranslation("account");
  const texts = useAccountTexts();
  const signIn = useMailedCode(purpose);
  const again = useSendMail(purpose);
  const { captcha, widget } = useBotCheck();
  const [remaining, pause] = usePause(PAUSE);
  const form = useForm({ resolver: zodResolver(Code), defaultValues: { code: "" } });
  const text = (
    <>
      <p>{t(`inbox.${purpose}`)}</p>
      <p className="mt-2 font-semibold text-ink">{email}</p>
    </>
  );
  return (
    <AccountShell title={t("inbox.title")} text={text}>
      <Form
        onSubmit={form.handleSubmit(({ code }) => signIn.mutate({ email, code }))}
        error={texts.refusal(signIn.error ?? again.error)}
      >
        <CodeField
          hint={t("inbox.codeHint")}
          error={texts.problem(form.formState.errors.code)}
          {...form.register("code")}
        />
        <SubmitButton busy={signIn.isPending}>{t("inbox.submit")}</SubmitButton>
      </Form>
      <div className="grid gap-3 border-t border-line pt-6">
        <p className="text-ink-soft">{t("inbox.missing")}</p>
        <div className="flex flex-wrap gap-3">
          <Button
            variant="quiet"
            disabled={remaining > 0 || again.isPending}
            onClick={() => again.mutate({ email, captcha }, { onSettled: pause })}
          >
            {remaining > 0 ? t("inbox.againIn", { seconds: remaining }) : t("inbox.again")}
          </Button>
          <Button variant="plain" className="max-sm:-ms-5" onClick={onBack}>
            {t("inbox.otherAddress")}
          </Button>
        </div>
        {widget}
        <p role="status" className="text-ink-soft">
          {again.isSuccess && t("inbox.sentAgain")}
        </p>
      </div>
    </AccountShell>
  );
}

/** A countdown in seconds until the next message may be requested, and its restart. */
function usePause(seconds: number): [left: number, start: () => void] {
  const [until, setUntil] = useState(() => Date.now() + seconds * 1000);
  const [remaining, setLeft] = useState(seconds);
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return [remaining, useCallback(() => setUntil(Date.now() + seconds * 1000), [seconds])];
}
