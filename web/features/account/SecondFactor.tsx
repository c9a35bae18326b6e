import { zodResolver } from "@hookform/resolvers/zod";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Code } from "../../../shared/account.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Form, SubmitButton } from "../../ui/Form.tsx";
import { Loading } from "../../ui/Loading.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { AccountShell } from "./AccountShell.tsx";
import { CodeField } from "./CodeField.tsx";
import { signOut } from "./sign-out.ts";
import { useAccountTexts } from "./use-account-texts.ts";

/** Asks for the second factor at sign-in. After success, the client updates the session state. */
export function SecondFactor() {
  const { t } = useTranslation("account");
  const texts = useAccountTexts();
  const factors = useQuery(factorsQuery);
  const [chosen, setChosen] = useState<string>();
  if (factors.isPending) return <Loading />;
  if (factors.isLoadingError)
    return <Problem error={texts.refusal(factors.error) ?? factors.error} retry={factors.refetch} />;
  const factor = factors.data.find(({ id }) => id === chosen) ?? factors.data[0];
  const others = factors.data.filter((other) => other !== factor);
  return (
    <AccountShell
      title={t("factor.title")}
      text={<p>{t(factor?.kind === "phone" ? "factor.phone" : "factor.totp")}</p>}
    >
      {factor && <FactorForm key={factor.id} factor={factor} />}
      <div className="flex flex-wrap gap-x-2 gap-y-1">
        {others.map(({ id, kind, name }) => (
          <Button key={id} variant="plain" className="-ms-5" onClick={() => setChosen(id)}>
            {t(kind === "phone" ? "factor.usePhone" : "factor.useTotp", { name })}
          </Button>
        ))}
        <Button variant="plain" className="-ms-5" onClick={() => void signOut(paths.login())}>
          {t("factor.leave")}
        </Button>
      </div>
    </AccountShell>
  );
}

function FactorForm({ factor }: { factor: SecondFactorChoice }) {
  const { t } = useTranslation("account");
  const texts = useAccountTexts();
  const challenge = useChallenge();
  const prove = useProveFactor();
  const form = useForm({ resolver: zodResolver(Code), defaultValues: { code: "" } });
  if (factor.kind === "phone" && challenge.data === undefined) {
    return (
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          challenge.mutate(factor.id);
        }}
        error={texts.refusal(challenge.error)}
      >
        <SubmitButton busy={challenge.isPending}>{t("factor.send")}</SubmitButton>
      </Form>
    );
  }
  return (
    <Form
      onSubmit={form.handleSubmit(({ code }) =>
        prove.mutate({ factorId: factor.id, challengeId: challenge.data, code }),
      )}
      error={texts.refusal(prove.error)}
    >
      <CodeField autoFocus error={texts.problem(form.formState.errors.code)} {...form.register("code")} />
      <SubmitButton busy={prove.isPending}>{t("factor.submit")}</SubmitButton>
    </Form>
  );
}

interface SecondFactorChoice {
  id: string;
  kind: "totp" | "phone";
  name: string;
}

/** The user's verified second factors, authenticator apps first. */
const factorsQuery = queryOptions({
  queryKey: queryKeys.secondFactors(),
  queryFn: async (): Promise<SecondFactorChoice[]> => {
    const { data, error } = await supabase.auth.mfa.listFactors();
    if (error) throw error;
    return [...data.totp, ...data.phone].map(({ id, factor_type, friendly_name }) => ({
      id,
      kind: factor_type,
      name: friendly_name ?? "",
    }));
  },
});

/** Creates a challenge; resolves to its id. If the factor is a phone, the server sends a code to it by text message. */
const useChallenge = () =>
  useMutation({
    mutationFn: async (factorId: string) => {
      const { data, error } = await supabase.auth.mfa.challenge({ factorId });
      if (error) throw error;
      return data.id;
    },
  });

/** Verifies the second factor, which raises the session to aal2. */
const useProveFactor = () =>
  useMutation({
    mutationFn: async ({ factorId, challengeId, code }: { factorId: string; challengeId?: string; code: string }) => {
      const { error } = challengeId
        ? await supabase.auth.mfa.verify({ factorId, challengeId, code })
        : await supabase.auth.mfa.challengeAndVerify({ factorId, code });
      if (error) throw error;
    },
  });
