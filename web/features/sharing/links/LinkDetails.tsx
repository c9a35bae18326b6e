import { CalendarClock, Eye, History, Link2, Tag } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../../lib/request/supabase.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { CopyLink } from "../CopyLink.tsx";
import { QrCode } from "../codes/QrCode.tsx";
import { LinkAccessSettings } from "./LinkAccessSettings.tsx";
import { LinkActions } from "./LinkActions.tsx";
import { LinkEnd } from "./LinkEnd.tsx";
import { LinkName } from "./LinkName.tsx";
import { LinkOpenings } from "./LinkOpenings.tsx";
import { LinkRights } from "./LinkRights.tsx";
import { stateOf } from "./link-state.ts";
import { type LinkChange, type Shareable, type ShareLink, useChangeLink } from "./links.queries.ts";
import { Setting } from "./Setting.tsx";
import { useLinkLabels } from "./use-link-labels.ts";

interface LinkDetailsProps {
  link: ShareLink;
  of: Shareable;
  /** A memory's own link, which can not be deleted. */
  first: boolean;
  /** Whether metal cards open the same memory. */
  cards: boolean;
}

/** Everything about one link: its address and code, its door, what it may do and until when, and who came by it. */
export function LinkDetails({ link, of, first, cards }: LinkDetailsProps) {
  const { t } = useTranslation("sharing");
  const words = useLinkLabels();
  const { mutate } = useChangeLink(supabase, link);
  const [shown, setShown] = useState<string>();
  const change = (changes: LinkChange) =>
    mutate(changes, {
      onError: () => toast({ title: t("change.failed"), description: t("change.failedText"), tone: "problem" }),
    });
  const setting = (name: string) => ({
    open: shown === name,
    onToggle: () => setShown(shown === name ? undefined : name),
  });
  const close = () => setShown(undefined);
  const adds = link.rights !== "view";
  const url = new URL(paths.shared(link.share_id), location.origin).href;
  const state = stateOf(link, Date.now());
  if (state === "unshared") return <NotShared onShare={() => change({ shared_at: new Date().toISOString() })} />;
  const closed = state === "closed";

  return (
    <div className="grid gap-6">
      {!closed && <CopyLink url={url} />}
      {!closed && <LinkAccessSettings link={link} cards={first && cards} />}
      <div className="grid border-t border-line pt-4">
        <Setting icon={Eye} title={t("rights.title")} state={t(`rights.${link.rights}Text`)} {...setting("rights")}>
          <LinkRights of={of.kind} value={link.rights} onChange={(rights) => change({ rights })} />
        </Setting>
        <Setting icon={CalendarClock} title={t("end.title")} state={words.end(link)} {...setting("end")}>
          <LinkEnd
            value={link.expires_at}
            onChange={(expires_at) => {
              change({ expires_at });
              close();
            }}
          />
        </Setting>
        <Setting icon={Tag} title={t("name.title")} state={words.name(link, first)} {...setting("name")}>
          <LinkName
            value={link.label}
            onSave={(label) => {
              if (label !== link.label) change({ label });
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
            onChange={(allows_download) => change({ allows_download })}
          />
          {adds && (
            <Switch
              label={t("moderated.title")}
              text={t(link.moderated ? "moderated.on" : "moderated.off")}
              checked={link.moderated}
              onChange={(moderated) => change({ moderated })}
            />
          )}
          {link.rights !== "upload" && (
            <Switch
              label={t("names.title")}
              text={t(link.shows_names ? "names.on" : "names.off")}
              checked={link.shows_names}
              onChange={(shows_names) => change({ shows_names })}
            />
          )}
        </div>
      </div>
      {!closed && <QrCode url={url} name={of.name} />}
      <LinkActions link={link} first={first} name={words.name(link, first)} onChange={change} />
    </div>
  );
}

/** A memory's first link before somebody has shared it. */
function NotShared({ onShare }: { onShare: () => void }) {
  const { t } = useTranslation("sharing");
  return (
    <div className="grid justify-items-start gap-4">
      <p>{t("notShared.text")}</p>
      <Button onClick={onShare}>
        <Link2 aria-hidden className="size-5" />
        {t("notShared.action")}
      </Button>
    </div>
  );
}
