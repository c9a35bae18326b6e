import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { FactorCode } from "./FactorCode.tsx";
import { useAddAuthenticator } from "./factors.queries.ts";
import { useProfileTexts } from "./use-profile-texts.ts";

interface AddAuthenticatorProps {
  /** How many second factors there are already; two apps are told apart by it. */
  known: number;
  onClose: () => void;
}

/** Adds an authenticator app: scan or type, then show that it works. One that is not finished never counts. */
export function AddAuthenticator({ known, onClose }: AddAuthenticatorProps) {
  const { t } = useTranslation("profile");
  const texts = useProfileTexts();
  const { mutate, data, error } = useAddAuthenticator();
  const name = known === 0 ? t("factors.totp") : `${t("factors.totp")} ${known + 1}`;
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
            </div>
          </div>
          {data && <FactorCode factor={data} hint={t("factors.firstCode")} onDone={onClose} />}
        </div>
      )}
    </Dialog>
  );
}
