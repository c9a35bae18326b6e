import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FunctionRefusal } from "../../../lib/request/call-function.ts";
import { refresh } from "../../../lib/request/refresh.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Form, SubmitButton } from "../../../ui/Form.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { claimCard } from "../cards.queries.ts";
import { CardScreen } from "./CardScreen.tsx";
import { scanQuery } from "./scan.queries.ts";

/** Claims a card with the activation code of its pack. */
export function ClaimCard({ code, userId }: { code: string; userId: string }) {
  const { t } = useTranslation("cardScan");
  const [secret, setSecret] = useState("");
  const cache = useQueryClient();
  const claim = useMutation({
    mutationFn: () => claimCard(supabase, code, secret),
    onSuccess: () => refresh(cache, scanQuery(code, userId).queryKey),
  });
  const errorText = () => {
    if (!claim.error) return undefined;
    if (!(claim.error instanceof FunctionRefusal)) return t("claimFailed");
    const { code: refusal, details } = claim.error;
    if (refusal === "locked") return t("tooMany");
    return refusal === "secret_wrong" ? t("wrong", { count: Number(details.triesLeft) || 0 }) : t("claimFailed");
  };
  return (
    <CardScreen title={t("claimTitle")} text={t("claimText")}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          if (secret.trim() && !claim.isPending) claim.mutate();
        }}
      >
        <TextField
          label={t("secret")}
          hint={t("secretHint")}
          error={errorText()}
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
        />
        <SubmitButton busy={claim.isPending}>{t("claim")}</SubmitButton>
      </Form>
    </CardScreen>
  );
}
