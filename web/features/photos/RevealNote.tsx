import { Sparkles } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { differs, revealTimeText } from "../../actions/reveal/reveal-text.ts";
import { useRevealNow } from "../../actions/reveal/use-reveal-now.ts";
import type { MemoryAtAGlance } from "../../data/memories.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { useRevealLive } from "../../data/reveal.queries.ts";
import { isWaiting, type Reveal } from "../../data/reveal.ts";
import { timeLeft } from "../../data/reveal-times.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";

const RevealForm = lazyPart(async () => ({
  default: (await import("../../actions/reveal/RevealForm.tsx")).RevealForm,
}));

type RevealNoteProps = MemoryContext & { memory: MemoryAtAGlance };

/** Tells when everything is revealed: guests with a countdown, managers with what they can do. Nothing if nothing waits. */
export default function RevealNote({ client, memory, rights }: RevealNoteProps) {
  const { t } = useTranslation("reveal");
  const { reveal } = memory;
  useRevealLive(client, memory.id, reveal);
  const waits = isWaiting(reveal, serverNow());
  const waited = useRef(waits);
  useEffect(() => {
    if (waited.current && !waits && !rights.manage) toast({ title: t("appeared") });
    waited.current = waits;
  }, [waits, rights.manage, t]);
  if (!waits) return null;
  return (
    <div
      role="note"
      className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-6"
    >
      <Sparkles aria-hidden className="size-6 shrink-0 text-deep" />
      {rights.manage ? <HostNote client={client} memory={memory} reveal={reveal} /> : <GuestNote reveal={reveal} />}
    </div>
  );
}

function GuestNote({ reveal: { reveal_at, time_zone } }: { reveal: Reveal }) {
  const { t, i18n } = useTranslation("reveal");
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <div className="grid min-w-0 grow basis-64 gap-1">
        <p className="font-serif text-xl leading-snug wrap-anywhere">
          {reveal_at === null
            ? t("guest.titlePressed")
            : t("guest.title", { time: revealTimeText(reveal_at, time_zone, i18n.language) })}
        </p>
        {reveal_at !== null && differs(reveal_at, time_zone, own) && (
          <p className="text-ink-soft">{t("guest.yours", { time: revealTimeText(reveal_at, own, i18n.language) })}</p>
        )}
        <p className="text-ink-soft">{t("guest.text")}</p>
      </div>
      {reveal_at !== null && <Countdown at={reveal_at} />}
    </>
  );
}

const TICK_MS = 1000;

/** The time left, in one unit, so that it changes rarely. It is no live region: a screen reader reads it on demand. */
function Countdown({ at }: { at: string }) {
  const { t } = useTranslation("reveal");
  const [remaining, setLeft] = useState(() => timeLeft(Date.parse(at) - serverNow()));
  useEffect(() => {
    const update = () => {
      const next = timeLeft(Date.parse(at) - serverNow());
      setLeft((current) => (current.unit === next.unit && current.count === next.count ? current : next));
    };
    update();
    const timer = setInterval(update, TICK_MS);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <p role="timer" aria-live="off" className="font-serif text-2xl whitespace-nowrap text-deep tabular-nums">
      {remaining.unit === "moment"
        ? t("guest.left.moment")
        : t(`guest.left.${remaining.unit}`, { count: remaining.count })}
    </p>
  );
}

function HostNote({ client, memory, reveal }: Omit<RevealNoteProps, "rights"> & { reveal: Reveal }) {
  const { t, i18n } = useTranslation("reveal");
  const [changing, setChanging] = useState(false);
  const revealNow = useRevealNow(client, memory.id);
  const close = () => setChanging(false);
  return (
    <>
      <div className="grid min-w-0 grow basis-64 gap-1">
        <p className="font-serif text-xl leading-snug wrap-anywhere">
          {reveal.reveal_at === null
            ? t("host.titlePressed")
            : t("host.title", { time: revealTimeText(reveal.reveal_at, reveal.time_zone, i18n.language) })}
        </p>
        <p className="text-ink-soft">{t("host.text")}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button
          aria-busy={revealNow.isPending}
          onClick={() => {
            if (!revealNow.isPending) revealNow.reveal(reveal);
          }}
        >
          {t("host.now")}
        </Button>
        <Button variant="quiet" onClick={() => setChanging(true)}>
          {t("host.change")}
        </Button>
      </div>
      <Dialog title={t("title")} open={changing} onOpenChange={setChanging}>
        <Suspense fallback={<Skeleton className="h-96" />}>
          <RevealForm client={client} memory={memory} stored={reveal} onClosed={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
