import { useQuery } from "@tanstack/react-query";
import { LockOpen, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { secretQuery } from "../../../data/link-secret.queries.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { serverNow } from "../../../lib/request/server-clock.ts";
import { requestAsUser, supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { ChooseSecret } from "./ChooseSecret.tsx";
import { stateOf } from "./link-state.ts";
import type { ShareLink } from "./links.queries.ts";
import { useSaveSecret } from "./use-save-secret.ts";

interface LinkAccessSettingsProps {
  link: ShareLink;
  /** Whether metal cards require the same secret, i.e. this is the main link of a memory with cards. */
  cards: boolean;
}

/** Renders the settings that show, change and remove a link's secret, with a note on who loses access. */
export function LinkAccessSettings({ link, cards }: LinkAccessSettingsProps) {
  const { t, i18n } = useTranslation("sharing");
  const [asking, setAsking] = useState<"change" | "remove">();
  const { save, isPending, isError, reset } = useSaveSecret(link, () => setAsking(undefined));
  const { asks } = link;
  const close = () => {
    setAsking(undefined);
    reset();
  };

  return (
    <div className="grid gap-3">
      {asks ? (
        <Secret link={link} asks={asks} />
      ) : (
        <p className="flex items-center gap-2 text-ink-soft">
          <LockOpen aria-hidden className="size-5 shrink-0" />
          {t("access.openText")}
        </p>
      )}
      {stateOf(link, serverNow()) === "locked" && link.locked_until && (
        <p role="status" className="flex gap-3 rounded-xl bg-danger-wash px-4 py-3 text-danger-text">
          <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
          {t("access.locked", {
            time: new Intl.DateTimeFormat(localeOf(i18n.language), { timeStyle: "short" }).format(
              new Date(link.locked_until),
            ),
          })}
        </p>
      )}
      {isError && (
        <p role="alert" className="text-danger-text">
          {t("access.failed")}
        </p>
      )}
      {asking === "change" && (
        <ChooseSecret
          kind={asks ?? "pin"}
          isNew={asks === null}
          note={t(asks ? "access.changeNote" : "access.setNote")}
          busy={isPending}
          onSave={save}
          onCancel={close}
        />
      )}
      {asking === "remove" && asks && (
        <div className="grid gap-4 rounded-2xl bg-sunken p-4 sm:p-5">
          <p className="text-center text-sm text-ink-soft">{t("access.removeNote")}</p>
          <div className="flex flex-wrap justify-center gap-3">
            <Button size="small" aria-busy={isPending} onClick={() => save({ pin: null })}>
              {t(`${asks}.remove`)}
            </Button>
            <Button variant="quiet" size="small" onClick={close}>
              {t("access.cancel")}
            </Button>
          </div>
        </div>
      )}
      {!asking && !link.for_card && (
        <div className="-ms-4 flex flex-wrap">
          <Button variant="plain" size="small" onClick={() => setAsking("change")}>
            {t(asks ? `${asks}.update` : "pin.set")}
          </Button>
          {asks && (
            <Button variant="plain" size="small" onClick={() => setAsking("remove")}>
              {t(`${asks}.remove`)}
            </Button>
          )}
        </div>
      )}
      {cards && <p className="text-sm text-ink-soft">{t("access.cardsNote")}</p>}
      {link.for_card && <p className="text-sm text-ink-soft">{t("access.ofFirst")}</p>}
    </div>
  );
}

/** Renders the PIN or passphrase in plain text, or a note if it was set before secrets could be shown. */
function Secret({ link, asks }: { link: ShareLink; asks: NonNullable<ShareLink["asks"]> }) {
  const { t } = useTranslation(["sharing", "shareGate"]);
  const { data: secret, isPending, isLoadingError, refetch } = useQuery(secretQuery(supabase, link, requestAsUser));
  return (
    <div>
      <p id={`secret-${link.id}`} className="text-sm font-semibold">
        {t(`secret.${asks}`)}
      </p>
      {isPending && <Skeleton className="my-1 h-10 w-32" />}
      {isLoadingError && (
        <p role="alert" className="text-danger-text">
          {t("secret.failed")}{" "}
          <Button variant="plain" size="small" onClick={() => refetch()}>
            {t("shareGate:open.retry")}
          </Button>
        </p>
      )}
      {secret === null && <p className="text-ink-soft">{t(`secret.${asks}Unreadable`)}</p>}
      {typeof secret === "string" && (
        <output
          aria-labelledby={`secret-${link.id}`}
          className={
            asks === "pin"
              ? "block font-serif text-4xl tracking-[0.2em] tabular-nums"
              : "block font-serif text-2xl wrap-anywhere"
          }
        >
          {secret}
        </output>
      )}
    </div>
  );
}
