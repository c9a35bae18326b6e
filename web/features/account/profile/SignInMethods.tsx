import type { User, UserIdentity } from "@supabase/supabase-js";
import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { PROVIDERS, type Provider, providersQuery } from "../account.queries.ts";
import { ProviderMark } from "../ProviderMark.tsx";
import { useLinkIdentity, useUnlinkIdentity } from "./profile.queries.ts";
import { useProfileTexts } from "./use-profile-texts.ts";

/** The sign-in methods. Further ones can be linked, and each but the last one can be removed. */
export function SignInMethods({ user }: { user: User }) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const providers = useQuery(providersQuery);
  const link = useLinkIdentity();
  const unlink = useUnlinkIdentity();
  const identities = user.identities ?? [];
  const linkable = (providers.data ?? []).filter((name) => !identities.some(({ provider }) => provider === name));
  const nameOf = ({ provider }: UserIdentity) =>
    provider === "email" || provider === "phone"
      ? t(`waysIn.${provider}`)
      : (PROVIDERS[provider as Provider] ?? provider);
  const error = texts.failure(link.error ?? unlink.error);
  return (
    <>
      <ul className="grid gap-4">
        {identities.map((identity) => (
          <li key={identity.identity_id} className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <KeyRound aria-hidden className="size-6 shrink-0 text-ink-soft" />
            <div className="min-w-0 grow basis-40">
              <p className="font-semibold">{nameOf(identity)}</p>
              <p className="text-sm text-ink-soft">{String(identity.identity_data?.email ?? "")}</p>
            </div>
            {identities.length > 1 && (
              <Button
                size="small"
                variant="quiet"
                aria-label={t("waysIn.removeOne", { name: nameOf(identity) })}
                onClick={() =>
                  unlink.mutate(identity, {
                    onSuccess: () => toast({ title: t("waysIn.removed", { name: nameOf(identity) }) }),
                  })
                }
              >
                {t("remove")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {identities.length === 1 && <p className="text-ink-soft">{t("waysIn.last")}</p>}
      {linkable.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {linkable.map((provider) => (
            <Button key={provider} variant="quiet" onClick={() => link.mutate(provider)}>
              <ProviderMark provider={provider} />
              {t("waysIn.link", { name: PROVIDERS[provider] })}
            </Button>
          ))}
        </div>
      )}
      {error && (
        <p role="alert" className="text-danger-text">
          {error.message}
        </p>
      )}
    </>
  );
}
