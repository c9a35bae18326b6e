import { useQuery } from "@tanstack/react-query";
import { MailQuestion, Settings } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DayPart } from "../../../data/day.queries.ts";
import { repliesQuery, replySettingsQuery, useRepliesLive } from "../../../data/day-replies.queries.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { Button } from "../../../ui/Button.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { ReplyList } from "./ReplyList.tsx";
import { ReplySettingsForm } from "./ReplySettingsForm.tsx";
import { ReplyTotals } from "./ReplyTotals.tsx";
import { useHiddenReplies } from "./reply-deletions.ts";
import { totalsOf } from "./reply-totals.ts";

interface HostRepliesProps {
  client: SupabaseClient;
  memoryId: string;
  parts: readonly DayPart[];
}

/** The replies to the day, for the memory's managers: settings, totals and the list. */
export function HostReplies({ client, memoryId, parts }: HostRepliesProps) {
  const { t } = useTranslation("dayReplies");
  useRepliesLive(client, memoryId);
  const settings = useQuery(replySettingsQuery(client, memoryId));
  const query = useQuery(repliesQuery(client, memoryId));
  const hidden = useHiddenReplies();
  const [open, setOpen] = useState<"settings" | "list">();
  const failed = settings.isLoadingError ? settings : query.isLoadingError ? query : undefined;
  if (failed) return <Problem error={new Error(t("loadFailed"))} retry={failed.refetch} />;
  if (!query.data || settings.data === undefined) return <Skeleton className="h-40 rounded-3xl" />;
  if (open === "settings") {
    return (
      <ReplySettingsForm
        client={client}
        memoryId={memoryId}
        parts={parts}
        stored={settings.data}
        onClosed={() => setOpen(undefined)}
      />
    );
  }
  const replies = query.data.filter(({ id }) => !hidden.has(id));
  const asking = parts.filter(({ asks_replies }) => asks_replies);
  const { questions = [], places = null } = settings.data ?? {};
  if (asking.length === 0 && replies.length === 0) {
    return (
      <div className="grid justify-items-start gap-2">
        <Button icon={MailQuestion} variant="quiet" onClick={() => setOpen("settings")}>
          {t("host.ask")}
        </Button>
        <p className="text-ink-soft">{t("host.askText")}</p>
      </div>
    );
  }
  return (
    <section
      aria-label={t("hostTitle")}
      className="grid gap-4 rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-6"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-serif text-2xl">{t("hostTitle")}</h3>
        <Button icon={Settings} variant="quiet" onClick={() => setOpen("settings")}>
          {t("host.settings")}
        </Button>
      </div>
      {replies.length === 0 ? (
        <p className="text-ink-soft">{t("host.none")}</p>
      ) : (
        <ReplyTotals totals={totalsOf(replies, asking, questions)} parts={asking} places={places} />
      )}
      <Button
        variant="quiet"
        className="justify-self-start"
        aria-expanded={open === "list"}
        onClick={() => setOpen(open === "list" ? undefined : "list")}
      >
        {open === "list" ? t("host.hide") : t("host.show")}
      </Button>
      {open === "list" && (
        <ReplyList client={client} memoryId={memoryId} replies={replies} parts={asking} questions={questions} />
      )}
    </section>
  );
}
