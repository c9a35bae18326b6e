import { Hourglass } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ShareSecret } from "../../../shared/share.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { remaining } from "../../lib/formatting/remaining.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { SkyScreen } from "./SkyScreen.tsx";

/** Renders a countdown while a link is locked, and calls `onOver` at its end to ask for the secret again. */
export default function LockedScreen({ asks, until, onOver }: { asks: ShareSecret; until: Date; onOver: () => void }) {
  const { t, i18n } = useTranslation("shareGate");
  const [remainingMs, setRemainingMs] = useState(() => until.getTime() - serverNow());
  useEffect(() => {
    const timer = setInterval(() => {
      const now = until.getTime() - serverNow();
      setRemainingMs(now);
      if (now <= 0) onOver();
    }, 500);
    return () => clearInterval(timer);
  }, [until, onOver]);
  const time = new Intl.DateTimeFormat(localeOf(i18n.language), { timeStyle: "short" }).format(until);
  return (
    <SkyScreen>
      <Hourglass aria-hidden className="mx-auto size-9 text-deep" />
      <div role="alert" className="grid gap-2">
        <h1 className="font-serif text-[1.75rem] leading-tight sm:text-3xl">
          {t(asks === "pin" ? "open.locked" : "openPassphrase.locked")}
        </h1>
        <p className="text-ink-soft">{t("open.lockedText", { time })}</p>
      </div>
      <p role="timer" className="font-serif text-2xl tabular-nums">
        {t("open.lockedFor", { duration: remaining(remainingMs) })}
      </p>
    </SkyScreen>
  );
}
