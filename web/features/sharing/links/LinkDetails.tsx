import { CalendarClock, Eye, History, KeyRound, Link2, Printer, SlidersHorizontal, Tag } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { requestAsUser, supabase } from "../../../lib/request/supabase.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { PrintCode } from "../codes/PrintCode.tsx";
import { ChoosePassphrase } from "./ChoosePassphrase.tsx";
import { ChoosePin } from "./ChoosePin.tsx";
import { LinkActions } from "./LinkActions.tsx";
import { LinkEnd } from "./LinkEnd.tsx";
import { LinkInSight } from "./LinkInSight.tsx";
import { LinkName } from "./LinkName.tsx";
import { LinkOpenings } from "./LinkOpenings.tsx";
import { LinkRights } from "./LinkRights.tsx";
import { stateOf } from "./link-state.ts";
import { type LinkChange, type Shareable, type ShareLink, useChangeLink, useSetSecret } from "./links.queries.ts";
import { randomPin } from "./pin-choice.ts";
import { Setting } from "./Setting.tsx";
import { useLinkLabels } from "./use-link-labels.ts";
import { useSaveSecret } from "./use-save-secret.ts";

interface LinkDetailsProps {
  link: ShareLink;
  of: Shareable;
  /** A memory's own link, which can not be deleted. */
  first: boolean;
  /** Whether metal cards open the same memory. */
  cards: boolean;
  /** What else there is under "More options". */
  children?: ReactNode;
}

/** A link as it is given to somebody, and under "More options" everything that can be changed about it. */
export function LinkDetails({ link, of, first, cards, children }: LinkDetailsProps) {
  const { t } = useTranslation("sharing");
  const { mutate } = useChangeLink(supabase, link);
  const [more, setMore] = useState(false);
  const change = (changes: LinkChange) =>
    mutate(changes, {
      onError: () => toast({ title: t("change.failed"), description: t("change.failedText"), tone: "problem" }),
    });
  const url = new URL(paths.shared(link.share_id), location.origin).href;
  const state = stateOf(link, Date.now());
  if (state === "unshared") return <FirstSharing link={link} />;

  return (
    <div className="grid gap-5">
      {state === "closed" ? (
        <div className="grid justify-items-start gap-4 rounded-2xl bg-sunken p-4">
          <p>{t("close.closedText")}</p>
          <Button size="small" onClick={() => change({ revoked_at: null })}>
            <Link2 aria-hidden className="size-5" />
            {t("close.reopen")}
          </Button>
        </div>
      ) : (
        <LinkInSight link={link} url={url} name={of.name} cards={first && cards} />
      )}
      <div className="border-t border-line pt-3">
        <Setting
          icon={SlidersHorizontal}
          title={t("more.title")}
          state={t("more.text")}
          open={more}
          onToggle={() => setMore(!more)}
        >
          <Options link={link} of={of} first={first} url={url} onChange={change} />
          {children}
        </Setting>
      </div>
    </div>
  );
}

/** Opens a memory's first link with a PIN by chance: its manager pressed "Share", and nobody else knows the link yet. */
function FirstSharing({ link }: { link: ShareLink }) {
  const { t } = useTranslation("sharing");
  const { mutate, isError } = useSetSecret(supabase, link, requestAsUser);
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    mutate({ pin: randomPin() });
  }, [mutate]);
  if (isError) return <Problem error={new Error(t("first.failed"))} retry={() => mutate({ pin: randomPin() })} />;
  return <Skeleton className="h-96" />;
}

interface OptionsProps extends Pick<LinkDetailsProps, "link" | "of" | "first"> {
  url: string;
  onChange: (change: LinkChange) => void;
}

/** What a link may do and until when, its name, its code for printing, who came by it, and how it is closed. */
function Options({ link, of, first, url, onChange }: OptionsProps) {
  const { t } = useTranslation("sharing");
  const words = useLinkLabels();
  const [shown, setShown] = useState<string>();
  const close = () => setShown(undefined);
  const setting = (name: string) => ({
    open: shown === name,
    onToggle: () => setShown(shown === name ? undefined : name),
  });
  const secret = useSaveSecret(link, close);
  const other = link.asks === "passphrase" ? "pin" : "passphrase";
  const form = {
    isNew: true,
    note: t(link.asks ? "door.changeNote" : "door.setNote"),
    busy: secret.isPending,
    onCancel: close,
  };
  const closed = link.revoked_at !== null;
  return (
    <>
      <div className="grid">
        <Setting icon={Eye} title={t("rights.title")} state={t(`rights.${link.rights}Text`)} {...setting("rights")}>
          <LinkRights of={of.kind} value={link.rights} onChange={(rights) => onChange({ rights })} />
        </Setting>
        <Setting icon={CalendarClock} title={t("end.title")} state={words.end(link)} {...setting("end")}>
          <LinkEnd
            value={link.expires_at}
            onChange={(expires_at) => {
              onChange({ expires_at });
              close();
            }}
          />
        </Setting>
        {!closed && !link.for_card && (
          <Setting icon={KeyRound} title={t(`${other}.set`)} state={t(`secret.${other}Instead`)} {...setting("secret")}>
            {secret.isError && (
              <p role="alert" className="text-danger-text">
                {t("door.failed")}
              </p>
            )}
            {other === "pin" ? (
              <ChoosePin onSave={(pin) => secret.save({ pin })} {...form} />
            ) : (
              <ChoosePassphrase onSave={(passphrase) => secret.save({ passphrase })} {...form} />
            )}
          </Setting>
        )}
        {!closed && (
          <Setting icon={Printer} title={t("print.title")} state={t("qr.text")} {...setting("print")}>
            <PrintCode url={url} name={of.name} />
          </Setting>
        )}
        <Setting icon={Tag} title={t("name.title")} state={words.name(link, first)} {...setting("name")}>
          <LinkName
            value={link.label}
            onSave={(label) => {
              if (label !== link.label) onChange({ label });
              close();
            }}
          />
        </Setting>
        <Setting icon={History} title={t("opened.title")} state={words.opened(link)} {...setting("opened")}>
          <LinkOpenings linkId={link.id} />
        </Setting>
        <div className="grid gap-2 pt-2">
          <Switch
            label={t("download.title")}
            text={t(link.allows_download ? "download.on" : "download.off")}
            checked={link.allows_download}
            onChange={(allows_download) => onChange({ allows_download })}
          />
          {link.rights !== "view" && (
            <Switch
              label={t("moderated.title")}
              text={t(link.moderated ? "moderated.on" : "moderated.off")}
              checked={link.moderated}
              onChange={(moderated) => onChange({ moderated })}
            />
          )}
          {link.rights !== "upload" && (
            <Switch
              label={t("names.title")}
              text={t(link.shows_names ? "names.on" : "names.off")}
              checked={link.shows_names}
              onChange={(shows_names) => onChange({ shows_names })}
            />
          )}
        </div>
      </div>
      <LinkActions link={link} first={first} name={words.name(link, first)} onChange={onChange} />
    </>
  );
}
