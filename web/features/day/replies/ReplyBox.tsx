import { useQuery } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DayPart } from "../../../data/day.queries.ts";
import {
  type DayReply,
  ownReplyQuery,
  type Replier,
  ReplyRefusal,
  replySettingsQuery,
  useRepliesLive,
  useSaveReply,
} from "../../../data/day-replies.queries.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { serverNow } from "../../../lib/request/server-clock.ts";
import { Button } from "../../../ui/Button.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { momentText } from "../day-times.ts";
import { OwnLink } from "./OwnLink.tsx";
import { ReplyForm } from "./ReplyForm.tsx";
import { type ReplyFields, replyOf } from "./reply-fields.ts";
import { useOwnReplyText } from "./use-own-reply-text.ts";
import { useRefusalText } from "./use-refusal-text.ts";

export interface ReplyBoxProps {
  client: SupabaseClient;
  memoryId: string;
  parts: readonly DayPart[];
  /** Who replies; null before a visitor has given a name. */
  by: Replier | null;
  /** Their name, as far as it is known. */
  name: string;
  /** Makes the visitor of a link a guest with this name and address; absent for signed-in people. */
  sign?: (signature: { name: string; email: string }) => Promise<void>;
  /** The address with which a guest changes the reply on another device. */
  ownLink?: () => string | undefined;
}

const NOBODY: Replier = { column: "guest_id", id: "" };

/** The reader's own reply to the day, with the form to give or change it. */
export function ReplyBox({ client, memoryId, by, name, sign, ownLink, ...props }: ReplyBoxProps) {
  const { t, i18n } = useTranslation("dayReplies");
  useRepliesLive(client, memoryId);
  const parts = props.parts.filter(({ asks_replies }) => asks_replies);
  const settings = useQuery(replySettingsQuery(client, memoryId));
  const own = useQuery({ ...ownReplyQuery(client, memoryId, by ?? NOBODY), enabled: by !== null });
  const save = useSaveReply(client, memoryId);
  const ownText = useOwnReplyText(parts);
  const refusalText = useRefusalText();
  // The reply as the form opened with it, and the error of the last attempt.
  const [editing, setEditing] = useState<{ stored: DayReply | null }>();
  const [error, setError] = useState<Error>();
  const [busy, setBusy] = useState(false);

  const failed = settings.isLoadingError ? settings : own.isLoadingError ? own : undefined;
  if (failed) return <Problem error={new Error(t("loadFailed"))} retry={failed.refetch} />;
  if (settings.isPending || (by !== null && own.isPending && !editing))
    return <Skeleton className="h-46 rounded-3xl" />;
  if (!settings.data || parts.length === 0) return null;
  const { closes_at, time_zone, questions } = settings.data;
  const stored = by === null ? null : (own.data ?? null);
  const isClosed = closes_at !== null && Date.parse(closes_at) <= serverNow();
  const isConflict = error instanceof ReplyRefusal && error.code === "conflict";

  const send = async (fields: ReplyFields) => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    const reply = replyOf(fields);
    try {
      const firstName = reply.names[0] ?? "";
      if (sign && (by === null || fields.email.trim() !== "")) await sign({ name: firstName, email: fields.email });
      // After a conflict, the reader has seen the stored reply.
      const base = isConflict && stored ? stored : (editing?.stored ?? null);
      const { waiting } = await save.mutateAsync({ ...reply, revision: base?.revision ?? null });
      setEditing(undefined);
      toast({ title: waiting ? t("own.savedWaiting") : t("own.saved"), tone: "success" });
    } catch (problem) {
      setError(problem as Error);
    } finally {
      setBusy(false);
    }
  };

  if (editing) {
    const problem = isConflict
      ? t("form.replaces", { state: stored ? ownText(stored) : "" })
      : error && refusalText(error);
    return (
      <ReplyForm
        stored={editing.stored}
        name={name}
        parts={parts}
        questions={questions}
        asksEmail={sign !== undefined}
        busy={busy}
        problem={problem}
        onSend={(fields) => void send(fields)}
        onCancel={() => {
          setEditing(undefined);
          setError(undefined);
        }}
      />
    );
  }
  return (
    <section
      aria-label={t("title")}
      className="grid min-h-46 content-start justify-items-start gap-4 rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-6 print:hidden"
    >
      <h3 className="font-serif text-2xl">{t("title")}</h3>
      {stored && (
        <div role="status" className="grid gap-1 wrap-anywhere">
          <p dir="auto" className="font-semibold">
            {ownText(stored)}
          </p>
          {stored.note && <p className="text-ink-soft">{t("own.note", { note: stored.note })}</p>}
        </div>
      )}
      {isClosed ? (
        <p className="text-ink-soft">{t("closed")}</p>
      ) : (
        <>
          {closes_at !== null && (
            <p className="text-ink-soft">{t("closesAt", { time: momentText(closes_at, time_zone, i18n.language) })}</p>
          )}
          <Button
            icon={MailCheck}
            variant={stored?.answer ? "quiet" : "primary"}
            onClick={() => setEditing({ stored })}
          >
            {stored?.answer ? t("own.change") : t("own.reply")}
          </Button>
        </>
      )}
      {stored?.answer && ownLink?.() !== undefined && <OwnLink address={ownLink} />}
    </section>
  );
}
