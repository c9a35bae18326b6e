import { useQuery } from "@tanstack/react-query";
import { Monitor, Smartphone, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { dayAgo } from "../../../lib/formatting/time-ago.ts";
import { serverNow } from "../../../lib/request/server-clock.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { devicesQuery, type LinkDevice, useDevicesLive, useRemoveDevice } from "./devices.queries.ts";
import type { ShareLink } from "./links.queries.ts";

const AT_FIRST = 8;
const HANDHELD = /(Android|iPhone|iPad)$/;

/** Renders the devices that stay admitted to a link. A manager can remove each, so that it must enter the PIN again. */
export function LinkDevices({ link }: { link: Pick<ShareLink, "id" | "admitted_since_version"> }) {
  const { t, i18n } = useTranslation("sharing");
  const locale = localeOf(i18n.language);
  const devices = useQuery(devicesQuery(supabase, link));
  useDevicesLive(supabase, link);
  const remove = useRemoveDevice(supabase, link);
  const [all, setAll] = useState(false);
  if (devices.isPending) return <Skeleton className="h-24" />;
  if (devices.isLoadingError) return <Problem error={new Error(t("devices.failed"))} retry={devices.refetch} />;
  if (devices.data.length === 0) return <p className="text-ink-soft">{t("devices.empty")}</p>;

  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long" });
  const nameOf = (device: LinkDevice) => {
    const [browser, system] = device.name.split(", ");
    return system ? t("devices.on", { browser, system }) : device.name || t("devices.unknown");
  };
  const visible = all ? devices.data : devices.data.slice(0, AT_FIRST);
  return (
    <>
      <p className="text-sm text-ink-soft">{t("devices.text")}</p>
      <ul className="grid gap-1">
        {visible.map((device) => {
          const Icon = HANDHELD.test(device.name) ? Smartphone : Monitor;
          const name = nameOf(device);
          return (
            <li
              key={device.id}
              className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 border-b border-line py-1 last:border-0"
            >
              <Icon aria-hidden className="size-5 text-ink-soft" />
              <span className="grid min-w-0">
                <span className="wrap-anywhere">{name}</span>
                <span className="text-sm text-ink-soft">
                  {t("devices.seen", {
                    first: day.format(new Date(device.first_seen)),
                    last: dayAgo(new Date(device.last_seen), new Date(serverNow()), locale),
                  })}
                </span>
              </span>
              <IconButton
                icon={X}
                label={t("devices.remove", { name })}
                onClick={() =>
                  remove.mutate(device.id, {
                    onSuccess: () => toast({ title: t("devices.removed"), description: t("devices.removedText") }),
                    onError: () =>
                      toast({ title: t("change.failed"), description: t("change.failedText"), tone: "problem" }),
                  })
                }
              />
            </li>
          );
        })}
      </ul>
      {visible.length < devices.data.length && (
        <Button variant="plain" size="small" className="justify-self-start" onClick={() => setAll(true)}>
          {t("devices.all", { count: devices.data.length })}
        </Button>
      )}
    </>
  );
}
