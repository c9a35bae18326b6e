import type { User } from "@supabase/supabase-js";
import { MessageSquareText, ScanQrCode } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { Button } from "../../../ui/Button.tsx";
import { AddAuthenticator } from "./AddAuthenticator.tsx";
import { AddPhone } from "./AddPhone.tsx";
import { RemoveFactor } from "./RemoveFactor.tsx";

/** What is asked for beside the password: authenticator apps and telephones. */
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
      {adding === "totp" && <AddAuthenticator known={factors.length} onClose={stop} />}
      {adding === "phone" && <AddPhone onClose={stop} />}
      {removing !== undefined && (
        <RemoveFactor factorId={removing} last={factors.length === 1} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}
