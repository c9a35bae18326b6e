import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { exactDay } from "../../../shared/approximate-date.ts";
import type { MemoryRights } from "../../data/memories.queries.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { toast } from "../../ui/toasts.tsx";
import { CadenceChoice } from "./CadenceChoice.tsx";
import {
  type MemoryNoticeSettings,
  type Occasion,
  preferenceQuery,
  remindersQuery,
  useSavePreference,
  useSetReminder,
} from "./notice-settings.queries.ts";
import { PauseField } from "./PauseField.tsx";

/** Renders the dialog with the notification settings of a memory. */
export default function MemoryNoticesDialog({ memory, rights, onClose }: MemoryNoticesProps & { onClose: () => void }) {
  const { t } = useTranslation("notices");
  return (
    <Dialog
      title={t("memory.title")}
      description={t("memory.text", { name: memory.person_name })}
      open
      onOpenChange={onClose}
    >
      <MemoryNotices memory={memory} rights={rights} />
    </Dialog>
  );
}

/** The props that a memory's page passes. */
interface MemoryNoticesProps {
  memory: {
    id: string;
    person_name: string;
    birth_date: string | null;
    passing_date: string | null;
    event_date: string | null;
  };
  rights: MemoryRights;
}

/** Renders the notification settings of one memory; its owner also gets the reminders. */
function MemoryNotices({ memory, rights }: MemoryNoticesProps) {
  const { t } = useTranslation("notices");
  const { id: userId } = useUser();
  const wishes = useQuery(preferenceQuery(supabase, userId, memory.id));
  const save = useSavePreference(supabase, userId, memory.id);
  const keep = (change: Partial<MemoryNoticeSettings>) =>
    save.mutate(change, { onError: () => toast({ title: t("settings.notSaved"), tone: "problem" }) });
  if (wishes.isPending) return <Skeleton className="h-56" />;
  if (wishes.isLoadingError) return <Problem error={new Error(t("settings.failed"))} retry={wishes.refetch} />;
  return (
    <div className="grid gap-7">
      <CadenceChoice
        value={wishes.data.mail}
        onChange={(mail) => keep({ mail })}
        usual={t("memory.asEverywhere")}
        text={t("memory.asEverywhereText")}
      />
      <Switch
        label={t("memory.devices")}
        text={t("memory.devicesText")}
        checked={wishes.data.push}
        onChange={(push) => keep({ push })}
      />
      {rights.delete && <Reminders memory={memory} />}
      <PauseField
        until={wishes.data.paused_until}
        onChange={(paused_until) => keep({ paused_until })}
        text={t("memory.pauseText")}
      />
    </div>
  );
}

function Reminders({ memory }: Pick<MemoryNoticesProps, "memory">) {
  const { t, i18n } = useTranslation("notices");
  const reminders = useQuery(remindersQuery(supabase, memory.id));
  const set = useSetReminder(supabase, memory.id);
  const days: Record<Occasion, string | null> = {
    birthday: memory.birth_date,
    passing: memory.passing_date,
    event: memory.event_date,
  };
  const occasions = (Object.keys(days) as Occasion[]).filter((occasion) => exactDay(days[occasion]));
  return (
    <div className="grid gap-3">
      <div>
        <p className="font-semibold">{t("memory.days.title")}</p>
        <p className="text-sm text-ink-soft">{t(occasions.length > 0 ? "memory.days.text" : "memory.days.none")}</p>
      </div>
      {occasions.map((occasion) => (
        <Switch
          key={occasion}
          label={t(`memory.days.${occasion}`)}
          text={dayOfYear(days[occasion], i18n.language)}
          checked={reminders.data?.includes(occasion) ?? false}
          onChange={(on) =>
            set.mutate({ occasion, on }, { onError: () => toast({ title: t("settings.notSaved"), tone: "problem" }) })
          }
        />
      ))}
    </div>
  );
}

/** Formats a date as "2 March"; returns undefined if the day is unknown. */
function dayOfYear(date: string | null, language: string): string | undefined {
  const day = exactDay(date);
  if (!day) return undefined;
  const format = new Intl.DateTimeFormat(localeOf(language), { day: "numeric", month: "long", timeZone: "UTC" });
  return format.format(new Date(`${day}T12:00:00Z`));
}
