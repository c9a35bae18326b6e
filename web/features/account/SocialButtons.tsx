import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { PROVIDERS, providersQuery, useProviderSignIn } from "./account.queries.ts";
import { ProviderMark } from "./ProviderMark.tsx";
import { useAccountTexts } from "./use-account-texts.ts";

/** Sign-in buttons of the configured providers. Placed last: they load later and must not move other content. */
export function SocialButtons() {
  const { t } = useTranslation("account");
  const texts = useAccountTexts();
  const providers = useQuery(providersQuery);
  const signIn = useProviderSignIn();
  if (!providers.data?.length) return null;
  return (
    <section aria-label={t("social.label")} className="grid gap-3 border-t border-line pt-6">
      {signIn.error && (
        <p role="alert" className="text-danger-text">
          {texts.refusal(signIn.error)?.message}
        </p>
      )}
      {providers.data.map((provider) => (
        <Button key={provider} variant="quiet" size="large" onClick={() => signIn.mutate(provider)}>
          <ProviderMark provider={provider} />
          {t("social.with", { provider: PROVIDERS[provider] })}
        </Button>
      ))}
    </section>
  );
}
