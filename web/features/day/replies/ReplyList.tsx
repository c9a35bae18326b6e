import { Download, IdCard, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { DayPart } from "../../../data/day.queries.ts";
import { type HostReply, type Question, ReplyRefusal, useSaveReply } from "../../../data/day-replies.queries.ts";
import { saveFile } from "../../../lib/browser/save-file.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { InviteDialog } from "./InviteDialog.tsx";
import { ReplyForm } from "./ReplyForm.tsx";
import { ReplyLine } from "./ReplyLine.tsx";
import { repliesCsv } from "./replies-csv.ts";
import { useDeleteReply } from "./reply-deletions.ts";
import { type ReplyFields, replyOf } from "./reply-fields.ts";
import { useOwnReplyText } from "./use-own-reply-text.ts";
import { useRefusalText } from "./use-refusal-text.ts";

interface ReplyListProps {
  client: SupabaseClient;
  memoryId: string;
  replies: readonly HostReply[];
  parts: readonly DayPart[];
  questions: readonly Question[];
}

/** All replies, for the hosts: to correct, add, delete and save as a table. */
export function ReplyList({ client, memoryId, replies, parts, questions }: ReplyListProps) {
  const { t } = useTranslation("dayReplies");
  const save = useSaveReply(client, memoryId);
  const remove = useDeleteReply(memoryId);
  const refusalText = useRefusalText();
  const text = useOwnReplyText(parts);
  /** The reply in the form, as it was when the form opened; null with the id of a new one. */
  const [editing, setEditing] = useState<{ id: string; stored: HostReply | null }>();
  const [inviting, setInviting] = useState<HostReply>();
  const close = () => {
    setEditing(undefined);
    save.reset();
  };
  const isConflict = save.error instanceof ReplyRefusal && save.error.code === "conflict";
  const form = ({ id, stored }: { id: string; stored: HostReply | null }) => {
    const newest = replies.find((reply) => reply.id === id);
    const base = isConflict && newest ? newest : stored;
    return (
      <ReplyForm
        stored={stored}
        name=""
        host
        parts={parts}
        questions={questions}
        busy={save.isPending}
        problem={
          isConflict
            ? t("form.replaces", { state: newest ? text(newest) : "" })
            : save.error
              ? refusalText(save.error)
              : undefined
        }
        onSend={(fields) =>
          save.mutate({ ...inputOf(fields), id, revision: base?.revision ?? null }, { onSuccess: close })
        }
        onCancel={close}
      />
    );
  };
  const saveTable = () => {
    const states = ["yes", "no", "maybe", "waiting", "open"] as const;
    const columns = ["reply", "persons", "names", "note", "changed"] as const;
    const csv = repliesCsv(replies, parts, questions, {
      columns: Object.fromEntries(columns.map((name) => [name, t(`host.columns.${name}`)])) as Record<
        (typeof columns)[number],
        string
      >,
      states: Object.fromEntries(states.map((state) => [state, t(`host.states.${state}`)])) as Record<
        (typeof states)[number],
        string
      >,
      yes: t("answers.yes"),
      guestOf: (name) => t("guestOf", { name }),
    });
    saveFile(new Blob([csv], { type: "text/csv" }), `skies-${t("host.csvName")}.csv`);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap gap-3">
        <Button icon={Plus} variant="quiet" onClick={() => setEditing({ id: crypto.randomUUID(), stored: null })}>
          {t("host.add")}
        </Button>
        {replies.length > 0 && (
          <Button icon={Download} variant="quiet" onClick={saveTable}>
            {t("host.csv")}
          </Button>
        )}
        <Button asChild variant="quiet">
          <Link to={paths.printing(memoryId, "places")}>
            <IdCard aria-hidden className="size-5 shrink-0" />
            {t("host.placeCards")}
          </Link>
        </Button>
      </div>
      {editing?.stored === null && form(editing)}
      <ul aria-label={t("host.list")} className="m-0 grid list-none p-0">
        {replies.map((reply) =>
          editing?.stored?.id === reply.id ? (
            <li key={reply.id}>{form(editing)}</li>
          ) : (
            <ReplyLine
              key={reply.id}
              reply={reply}
              parts={parts}
              questions={questions}
              onEdit={() => setEditing({ id: reply.id, stored: reply })}
              onInvite={() => setInviting(reply)}
              onRemove={() => remove(reply)}
            />
          ),
        )}
      </ul>
      {inviting && (
        <InviteDialog client={client} memoryId={memoryId} reply={inviting} onClosed={() => setInviting(undefined)} />
      )}
    </div>
  );
}

/** An invitation is for as many persons as are written down. */
function inputOf(fields: ReplyFields) {
  const reply = replyOf(fields);
  return { ...reply, ...(reply.answer === null && { most: reply.names.length }) };
}
