import { useQuery } from "@tanstack/react-query";
import {
  CalendarClock,
  Eye,
  History,
  KeyRound,
  Link2,
  MessageSquare,
  Monitor,
  MonitorSmartphone,
  Printer,
  SlidersHorizontal,
  Smartphone,
  Tablet,
  Tag,
} from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { serverNow } from "../../../lib/request/server-clock.ts";
import { requestAsUser, supabase } from "../../../lib/request/supabase.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { PrintCode } from "../codes/PrintCode.tsx";
import { ChooseSecret } from "./ChooseSecret.tsx";
import { LinkActions } from "./LinkActions.tsx";
import { LinkDevices } from "./LinkDevices.tsx";
import { LinkInSight } from "./LinkInSight.tsx";
import { LinkName } from "./LinkName.tsx";
import { LinkEnd, LinkPreview, LinkRights, Setting } from "./LinkSettings.tsx";
import { hourOf, stateOf } from "./link-state.ts";
import {
  type LinkChange,
  openingsQuery,
  type Shareable,
  type ShareLink,
  useChangeLink,
  useShareFirst,
} from "./links.queries.ts";
import { randomPin } from "./pin-choice.ts";
import { useLinkLabels } from "./use-link-labels.ts";
import { useSaveSecret } from "./use-save-secret.ts";

interface LinkDetailsProps {
  link: ShareLink;
  of: Shareable;
  /** Whether this is the memory's main link, which cannot be deleted. */
  first: boolean;
  /** Whether metal cards open the same memory. */
  cards: boolean;
  /** Additional content under "More options". */
  children?: ReactNode;
}

/** Renders a link with all its settings under "More options". */
export function LinkDetails({ link, of, first, cards, children }: LinkDetailsProps) {
  const { t } = useTranslation("sharing");
  const { mutate } = useChangeLink(supabase, link);
  const [more, setMore] = useState(false);
  const change = (changes: LinkChange) =>
    mutate(changes, {
      onError: () => toast({ title: t("change.failed"), description: t("change.failedText"), tone: "problem" }),
    });
  const url = new URL(paths.shared(link.share_id), location.origin).href;
  const state = stateOf(link, serverNow());
  const [choosing, setChoosing] = useState(false);
  if (state === "unshared") return <FirstSharing link={link} of={of} />;

  return (
    <div className="grid gap-5">
      <Setting
        icon={Eye}
        title={t("rights.title")}
        state={t(`rights.${link.rights}Text`)}
        open={choosing}
        onToggle={() => setChoosing(!choosing)}
      >
        <LinkRights of={of.kind} value={link.rights} onChange={(rights) => change({ rights })} />
      </Setting>
      {state === "closed" ? (
        <div className="grid justify-items-start gap-4 rounded-2xl bg-sunken p-4">
          <p>{t("close.closedText")}</p>
          <Button icon={Link2} size="small" onClick={() => change({ revoked_at: null })}>
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

/** Turns a memory's main link on with a random PIN, because a manager pressed "Share" and nobody knows the link yet. */
function FirstSharing({ link, of }: Pick<LinkDetailsProps, "link" | "of">) {
  const { t } = useTranslation("sharing");
  const { mutate, isError } = useShareFirst(supabase, link, of, requestAsUser);
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    mutate(randomPin());
  }, [mutate]);
  if (isError) return <Problem error={new Error(t("first.failed"))} retry={() => mutate(randomPin())} />;
  return <Skeleton className="h-96" />;
}

interface OptionsProps extends Pick<LinkDetailsProps, "link" | "of" | "first"> {
  url: string;
  onChange: (change: LinkChange) => void;
}

/** Renders a link's expiry date, name, printable code and openings, and actions such as turning it off. */
function Options({ link, of, first, url, onChange }: OptionsProps) {
  const { t } = useTranslation("sharing");
  const labels = useLinkLabels();
  const [shownLink, setShown] = useState<string>();
  const close = () => setShown(undefined);
  const setting = (name: string) => ({
    open: shownLink === name,
    onToggle: () => setShown(shownLink === name ? undefined : name),
  });
  const secret = useSaveSecret(link, close);
  const other = link.asks === "passphrase" ? "pin" : "passphrase";
  const isClosed = link.revoked_at !== null;
  return (
    <>
      <div className="grid">
        <Setting icon={CalendarClock} title={t("end.title")} state={labels.end(link)} {...setting("end")}>
          <LinkEnd
            value={link.expires_at}
            onChange={(expires_at) => {
              onChange({ expires_at });
              close();
            }}
          />
        </Setting>
        {!isClosed && !link.for_card && (
          <Setting icon={KeyRound} title={t(`${other}.set`)} state={t(`secret.${other}Instead`)} {...setting("secret")}>
            {secret.isError && (
              <p role="alert" className="text-danger-text">
                {t("access.failed")}
              </p>
            )}
            <ChooseSecret
              kind={other}
              isNew
              note={t(link.asks ? "access.changeNote" : "access.setNote")}
              busy={secret.isPending}
              onSave={secret.save}
              onCancel={close}
            />
          </Setting>
        )}
        {!isClosed && (
          <Setting icon={Printer} title={t("print.title")} state={t("qr.text")} {...setting("print")}>
            <PrintCode url={url} name={of.name} />
          </Setting>
        )}
        <Setting
          icon={MessageSquare}
          title={t("preview.title")}
          state={t(link.asks ? `preview.${link.asks}Note` : `preview.${link.preview}Text`)}
          {...setting("preview")}
        >
          <LinkPreview link={link} onChange={(preview) => onChange({ preview })} />
        </Setting>
        <Setting icon={Tag} title={t("name.title")} state={labels.name(link, first)} {...setting("name")}>
          <LinkName link={link} onDone={close} />
        </Setting>
        {link.asks !== null && (
          <Setting
            icon={MonitorSmartphone}
            title={t("devices.title")}
            state={t("devices.state")}
            {...setting("devices")}
          >
            <LinkDevices link={link} />
          </Setting>
        )}
        <Setting icon={History} title={t("opened.title")} state={labels.opened(link)} {...setting("opened")}>
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
      <LinkActions link={link} first={first} name={labels.name(link, first)} onChange={onChange} />
    </>
  );
}

const AT_FIRST = 8;
const icons = { phone: Smartphone, tablet: Tablet, computer: Monitor, "": Monitor };

/** Renders a link's openings with the hour, the kind of device, and the name of a signed-in person. */
function LinkOpenings({ linkId }: { linkId: string }) {
  const { t, i18n } = useTranslation("sharing");
  const openings = useQuery(openingsQuery(supabase, linkId));
  const [all, setAll] = useState(false);
  if (openings.isPending) return <Skeleton className="h-24" />;
  if (openings.isLoadingError) return <Problem error={new Error(t("opened.failed"))} retry={openings.refetch} />;
  if (openings.data.length === 0) return <p className="text-ink-soft">{t("opened.empty")}</p>;
  const visible = all ? openings.data : openings.data.slice(0, AT_FIRST);
  return (
    <>
      <ul className="grid gap-1">
        {visible.map(({ opened_at, times, device, person }) => {
          const Icon = icons[device];
          return (
            <li
              key={`${opened_at} ${device} ${person}`}
              className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 border-b border-line py-2 last:border-0"
            >
              <Icon aria-hidden className="size-5 text-ink-soft" />
              <span className="grid sm:flex sm:flex-wrap sm:gap-x-3">
                <span>{hourOf(new Date(opened_at), localeOf(i18n.language))}</span>
                <span className="text-sm text-ink-soft sm:text-base">
                  {person ?? t(`opened.${device || "unknown"}`)}
                </span>
              </span>
              <span className="text-sm text-ink-soft tabular-nums">{t("opened.inHour", { count: times })}</span>
            </li>
          );
        })}
      </ul>
      {visible.length < openings.data.length && (
        <Button variant="plain" size="small" className="justify-self-start" onClick={() => setAll(true)}>
          {t("opened.all", { count: openings.data.length })}
        </Button>
      )}
      <p className="text-sm text-ink-soft">{t("opened.note")}</p>
    </>
  );
}
