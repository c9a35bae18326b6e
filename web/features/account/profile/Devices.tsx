import { useQuery } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { deviceName } from "../../../../shared/device-name.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { useUser } from "../../../lib/session/session.ts";
import { Button } from "../../../ui/Button.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { type DeviceRow, devicesQuery, useEndDevices } from "./profile.queries.ts";

/** The number of sessions shown at first, including the current one. */
const SHOWN = 5;

/** The person's sessions, each with a button to end it. */
export function Devices() {
  const { t } = useTranslation("profile");
  const { id } = useUser();
  const devices = useQuery(devicesQuery(id));
  const end = useEndDevices(id);
  const [all, setAll] = useState(false);
  const says = {
    onSuccess: () => toast({ title: t("devices.ended"), tone: "success" }),
    onError: () => toast({ title: t("devices.endFailed"), tone: "problem" }),
  } as const;
  if (devices.isPending) return <Skeleton className="h-28" />;
  if (devices.isLoadingError) return <Problem error={new Error(t("devices.failed"))} retry={devices.refetch} />;
  return (
    <>
      <ul className="grid gap-4">
        {devices.data.slice(0, all ? undefined : SHOWN).map((device) => (
          <Device key={device.id} device={device} onEnd={() => end.mutate({ id: device.id }, says)} />
        ))}
      </ul>
      {!all && devices.data.length > SHOWN && (
        <Button variant="plain" className="-ms-3 justify-self-start px-3!" onClick={() => setAll(true)}>
          {t("devices.all", { count: devices.data.length })}
        </Button>
      )}
      {devices.data.length > 2 && (
        <Button variant="quiet" className="justify-self-start" onClick={() => end.mutate("others", says)}>
          {t("devices.endOthers")}
        </Button>
      )}
    </>
  );
}

function Device({ device, onEnd }: { device: DeviceRow; onEnd: () => void }) {
  const { t, i18n } = useTranslation("profile");
  const name = deviceName(device.user_agent) || t("devices.unknown");
  const time = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "medium", timeStyle: "short" });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <MonitorSmartphone aria-hidden className="size-6 shrink-0 text-ink-soft" />
      <div className="min-w-0 grow basis-40">
        <p className="font-semibold">{name}</p>
        <p className="text-sm text-ink-soft">
          {device.is_current
            ? t("devices.here")
            : t("devices.seen", { when: time.format(new Date(device.last_seen_at)), address: device.ip ?? "" })}
        </p>
      </div>
      {!device.is_current && (
        <Button size="small" variant="quiet" aria-label={t("devices.endOne", { name })} onClick={onEnd}>
          {t("devices.end")}
        </Button>
      )}
    </li>
  );
}
