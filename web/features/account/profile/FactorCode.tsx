import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Code } from "../../../../shared/account.ts";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { CodeField } from "../CodeField.tsx";
import { useConfirmFactor } from "./factors.queries.ts";
import { useProfileTexts } from "./use-profile-texts.ts";

interface FactorCodeProps {
  factor: { id: string; challengeId?: string };
  hint: string;
  onDone: () => void;
}

/** The last step of adding a second factor: its first code. */
export function FactorCode({ factor, hint, onDone }: FactorCodeProps) {
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
