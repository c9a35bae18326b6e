import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Phone } from "../../../../shared/account.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { FactorCode } from "./FactorCode.tsx";
import { useAddPhone } from "./factors.queries.ts";
import { useProfileTexts } from "./use-profile-texts.ts";

/** Adds a telephone as second factor: its number, then the code that was texted there. */
export function AddPhone({ onClose }: { onClose: () => void }) {
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
