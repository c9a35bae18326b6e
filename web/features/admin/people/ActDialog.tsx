import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { catalogueQuery } from "../../../data/catalogue.queries.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { isStaffRole } from "../../../lib/session/session.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { TextArea } from "../../../ui/TextArea.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { type AccountDetails, type Act, useAct } from "./people.queries.ts";

export type ActName = Act["act"];

interface ActDialogProps {
  person: AccountDetails;
  act: ActName;
  /** The id of the plan that the action ends. */
  subscription?: string;
  onClose: () => void;
  onErased: () => void;
}

const DANGEROUS: readonly ActName[] = ["suspend", "erase", "end_plan"];

/** Errors with a specific text. */
const REFUSALS = ["own_account", "own_role", "email_exists", "user_banned", "no_plan", "years"] as const;

/** Asks for an action's reason and details, describes its effect, and runs it. */
export function ActDialog({ person, act, subscription = "", onClose, onErased }: ActDialogProps) {
  const { t } = useTranslation("adminPeople");
  const run = useAct(supabase, person);
  const [invalid, setInvalid] = useState<readonly string[]>([]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const wrong = [...event.currentTarget.querySelectorAll<HTMLInputElement>("input, textarea")].filter(
      ({ validity }) => !validity.valid,
    );
    setInvalid(wrong.map(({ name }) => name));
    wrong[0]?.focus();
    if (wrong.length > 0 || run.isPending) return;
    const acts: Record<ActName, () => Act> = {
      suspend: () => ({ act: "suspend" }),
      let_back: () => ({ act: "let_back" }),
      "sign-in-link": () => ({ act: "sign-in-link" }),
      erase: () => ({ act: "erase" }),
      address: () => ({ act: "address", email: text("email") }),
      plan: () => ({ act: "plan", plan: text("plan"), years: Number(text("years")) || null }),
      end_plan: () => ({ act: "end_plan", subscription }),
      role: () => ({ act: "role", role: isStaffRole(text("role")) ? (text("role") as "admin") : null }),
    };
    run.mutate(
      { ...acts[act](), reason: text("reason") },
      {
        onSuccess: () => {
          toast({ title: t(`acts.${act}.done`), tone: "success" });
          onClose();
          if (act === "erase") onErased();
        },
      },
    );
  };
  const refusal = REFUSALS.find((code) => code === run.error?.cause);
  const name = person.email ?? person.full_name;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(`acts.${act}.title`)}
      description={t(`acts.${act}.text`, { name })}
    >
      <Form onSubmit={submit} error={run.error && new Error(t(refusal ? `refusals.${refusal}` : "refusals.failed"))}>
        <Fields act={act} person={person} invalid={invalid} />
        <TextArea
          name="reason"
          label={t("acts.reason")}
          required
          maxLength={2000}
          {...(invalid.includes("reason") ? { error: t("invalid.reason") } : {})}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="quiet" onClick={onClose}>
            {t("acts.cancel")}
          </Button>
          <SubmitButton
            size="medium"
            variant={DANGEROUS.includes(act) ? "danger" : "primary"}
            busy={run.isPending}
            className="px-6"
          >
            {t(`acts.${act}.submit`)}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

/** The further fields of an action. */
function Fields({ act, person, invalid }: { act: ActName; person: AccountDetails; invalid: readonly string[] }) {
  const { t } = useTranslation("adminPeople");
  const errorOf = (name: "email" | "confirm" | "years") =>
    invalid.includes(name) ? { error: t(`invalid.${name}`) } : {};
  const plans = useQuery({ ...catalogueQuery, enabled: act === "plan" });
  switch (act) {
    case "address":
      return (
        <TextField
          name="email"
          type="email"
          label={t("acts.address.field")}
          required
          autoComplete="off"
          {...errorOf("email")}
        />
      );
    case "erase":
      return (
        <TextField
          name="confirm"
          label={t("acts.erase.field", { address: person.email ?? person.id })}
          required
          pattern={literally(person.email ?? person.id)}
          autoComplete="off"
          {...errorOf("confirm")}
        />
      );
    case "plan":
      return (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            name="plan"
            label={t("acts.plan.field")}
            options={(plans.data?.plans ?? [])
              .filter(({ term_years }) => term_years !== null)
              .map(({ id, name }) => [id, name] as const)}
          />
          <TextField name="years" type="number" min={1} max={100} label={t("acts.plan.years")} {...errorOf("years")} />
        </div>
      );
    case "role":
      return (
        <SelectField
          name="role"
          label={t("acts.role.field")}
          defaultValue={person.role ?? ""}
          options={[
            ["", t("roles.none")],
            ...(["admin", "support", "fulfilment", "editor"] as const).map(
              (role) => [role, t(`roles.${role}`)] as const,
            ),
          ]}
        />
      );
    default:
      return null;
  }
}

/** Returns a regular expression that matches only this text. */
const literally = (text: string) =>
  text.replace(/[^a-z0-9@]/gi, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
