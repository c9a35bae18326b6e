import { Flame, Heart, MessageCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pageOutbox } from "../../data/outbox/page-outbox.ts";
import type { WaitingWrite } from "../../data/outbox/waiting-write.ts";
import { useCopy } from "../../lib/browser/use-copy.ts";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { timeAgo } from "../../lib/formatting/time-ago.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { useTakeBack } from "./use-take-back.ts";

interface UnsentDialogProps {
  unsent: readonly WaitingWrite[];
  /** Whether its memories open by their own address. */
  isMember: boolean;
  onClosed: () => void;
}

/** Lists what waits for a network or was refused, in the order in which it is sent, with the way back. */
export default function UnsentDialog({ unsent, isMember, onClosed }: UnsentDialogProps) {
  const { t } = useTranslation("outbox");
  const isEmpty = unsent.length === 0;
  return (
    <Dialog
      open={!isEmpty}
      title={t("title")}
      description={t("text")}
      onOpenChange={(open) => !open && onClosed()}
      onClosed={isEmpty ? () => document.getElementById("main")?.focus() : undefined}
    >
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {unsent.map((write) => (
          <li key={write.id} className="border-t border-line pt-4 first:border-0 first:pt-0">
            <UnsentWrite write={write} isMember={isMember} onLeave={onClosed} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface UnsentWriteProps {
  write: WaitingWrite;
  isMember: boolean;
  onLeave: () => void;
}

function UnsentWrite({ write, isMember, onLeave }: UnsentWriteProps) {
  const { t, i18n } = useTranslation("outbox");
  const takeBack = useTakeBack();
  const text = write.kind === "comment" ? write.body : "";
  const { result, copy } = useCopy(text);
  const hasFailed = write.state === "failed";
  const Icon = write.kind === "comment" ? MessageCircle : write.reaction.kind === "candle" ? Flame : Heart;
  const name =
    write.kind === "comment"
      ? t("comment")
      : write.taken
        ? t(`taken.${write.reaction.kind}`)
        : t(`given.${write.reaction.kind}`);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Icon aria-hidden className="size-5 shrink-0 text-deep" />
        <span dir="auto" className="font-semibold">
          {name}
        </span>
        <span className="text-sm text-ink-soft">
          {timeAgo(new Date(write.at), useMinute(), localeOf(i18n.language))}
        </span>
      </p>
      {text !== "" && (
        <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
          {text}
        </p>
      )}
      <p className={hasFailed ? "text-sm text-danger-text" : "text-sm text-ink-soft"}>
        {t(hasFailed ? "failed" : "waiting")}
      </p>
      <div className="flex flex-wrap gap-2">
        {hasFailed && (
          <Button variant="quiet" size="small" onClick={() => void pageOutbox().again(write.id)}>
            {t("again")}
          </Button>
        )}
        {hasFailed && text !== "" && (
          <Button variant="quiet" size="small" onClick={() => void copy()}>
            <span aria-live="polite">{t(result === "copied" ? "copied" : "copy")}</span>
          </Button>
        )}
        <Button variant={hasFailed ? "plain" : "quiet"} size="small" onClick={() => void takeBack(write)}>
          {t(hasFailed ? "discard" : "takeBack")}
        </Button>
        {isMember && (
          <Button asChild variant="plain" size="small">
            <Link to={paths.memory(write.memoryId)} onClick={onLeave}>
              {t("memory")}
            </Link>
          </Button>
        )}
      </div>
    </div>
  );
}
