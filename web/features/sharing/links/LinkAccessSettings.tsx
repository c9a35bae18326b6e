import { Lock, LockOpen, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { requestAsUser, supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { ChoosePassphrase } from "./ChoosePassphrase.tsx";
import { ChoosePin } from "./ChoosePin.tsx";
import { stateOf } from "./link-state.ts";
import { type ShareLink, useSetSecret } from "./links.queries.ts";

type Asking = "pin" | "passphrase" | "remove";

interface LinkAccessSettingsProps {
  link: ShareLink;
  /** Whether metal cards ask for the same: they do at a memory's first link. */
  cards: boolean;
}

/** Sets, changes and removes what a link's door asks for, and says whom each of these shuts out. */
export function LinkAccessSettings({ link, cards }: LinkAccessSettingsProps) {
  const { t, i18n } = useTranslation("sharing");
  const [asking, setAsking] = useState<Asking>();
  const set = useSetSecret(supabase, link, requestAsUser);
  const { asks } = link;
  const Icon = asks ? Lock : LockOpen;

  const close = () => {
    setAsking(undefined);
    set.reset();
  };
  const save = (secret: { pin: string | null } | { passphrase: string }) => {
    if (set.isPending) return;
    const words = "passphrase" in secret || (secret.pin === null && asks === "passphrase") ? "passphrase" : "pin";
    const removed = "pin" in secret && secret.pin === null;
    const title = t(`${words}.${removed ? "wasRemoved" : asks === words ? "wasUpdated" : "wasSet"}`);
    set.mutate(secret, {
      onSuccess: () => {
        close();
        toast({ title, tone: "success" });
      },
    });
  };
  const note = t(asks ? "door.changeNote" : "door.setNote");
  const form = { note, busy: set.isPending, onCancel: close };

  return (
    <section aria-labelledby={`door-${link.id}`} className="grid gap-4 border-t border-line pt-6">
      <div className="flex items-start gap-3">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-deep" />
        <div>
          <h4 id={`door-${link.id}`} className="font-semibold">
            {t("door.title")}
          </h4>
          <p className="text-ink-soft">{t(`door.${asks ?? "open"}Text`)}</p>
          {cards && <p className="text-ink-soft">{t("door.cardsNote")}</p>}
          {link.for_card && <p className="text-ink-soft">{t("door.ofFirst")}</p>}
        </div>
      </div>
      {stateOf(link, Date.now()) === "locked" && link.locked_until && (
        <p role="status" className="flex gap-3 rounded-xl bg-danger-wash px-4 py-3 text-danger-text">
          <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
          {t("door.locked", {
            time: new Intl.DateTimeFormat(localeOf(i18n.language), { timeStyle: "short" }).format(
              new Date(link.locked_until),
            ),
          })}
        </p>
      )}
      {set.isError && (
        <p role="alert" className="text-danger-text">
          {t("door.failed")}
        </p>
      )}
      {asking === "pin" && <ChoosePin isNew={asks !== "pin"} onSave={(pin) => save({ pin })} {...form} />}
      {asking === "passphrase" && (
        <ChoosePassphrase isNew={asks !== "passphrase"} onSave={(passphrase) => save({ passphrase })} {...form} />
      )}
      {asking === "remove" && (
        <div className="grid gap-4 rounded-2xl bg-sunken p-4 sm:p-5">
          <p className="text-center text-sm text-ink-soft">{t("door.removeNote")}</p>
          <div className="flex flex-wrap justify-center gap-3">
            <Button size="small" aria-busy={set.isPending} onClick={() => save({ pin: null })}>
              {t(asks === "passphrase" ? "passphrase.remove" : "pin.remove")}
            </Button>
            <Button variant="quiet" size="small" onClick={close}>
              {t("door.cancel")}
            </Button>
          </div>
        </div>
      )}
      {!asking && !link.for_card && (
        <div className="flex flex-wrap gap-2">
          <Button variant="quiet" size="small" onClick={() => setAsking(asks ?? "pin")}>
            {asks ? t(`${asks}.update`) : t("pin.set")}
          </Button>
          <Button variant="plain" size="small" onClick={() => setAsking(asks === "passphrase" ? "pin" : "passphrase")}>
            {t(asks === "passphrase" ? "pin.set" : "passphrase.set")}
          </Button>
          {asks && (
            <Button variant="plain" size="small" onClick={() => setAsking("remove")}>
              {t(`${asks}.remove`)}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
