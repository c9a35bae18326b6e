import { Link, Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { HostReply, Question } from "../../../data/day-replies.queries.ts";
import { namesOf, stateOf } from "../../../data/reply-state.ts";
import { IconButton } from "../../../ui/IconButton.tsx";

interface ReplyLineProps {
  reply: HostReply;
  parts: readonly { id: string; title: string }[];
  questions: readonly Question[];
  onEdit: () => void;
  onInvite: () => void;
  onRemove: () => void;
}

/** A reply in the hosts' list. */
export function ReplyLine({ reply, parts, questions, onEdit, onInvite, onRemove }: ReplyLineProps) {
  const { t } = useTranslation("dayReplies");
  const [name = ""] = reply.names;
  const state = stateOf(reply);
  const titles = parts.filter(({ id }) => reply.part_ids.includes(id)).map(({ title }) => title);
  const facts = [
    ...(parts.length > 1 && titles.length > 0 ? [titles.join(", ")] : []),
    ...questions.flatMap(({ id, text }) => {
      const answer = reply.answers[id];
      return answer ? [`${text}${/[?:]$/.test(text) ? "" : ":"} ${answer.join(", ")}`] : [];
    }),
    ...(reply.note ? [reply.note] : []),
  ];
  return (
    <li className="flex items-start gap-2 border-t border-line py-3 max-sm:flex-col">
      <div className="grid min-w-0 grow gap-0.5 wrap-anywhere">
        <p dir="auto" className="font-semibold">
          {namesOf(reply, (first) => t("guestOf", { name: first })).join(", ")}
        </p>
        <p className="text-ink-soft">
          {t(`host.states.${state}`)}
          {state !== "no" && reply.names.length > 1 && ` · ${t("host.persons", { count: reply.names.length })}`}
        </p>
        {facts.map((fact) => (
          <p key={fact} dir="auto" className="text-ink-soft">
            {fact}
          </p>
        ))}
      </div>
      <div className="-my-1.5 flex shrink-0 text-ink-soft max-sm:-ms-2.5 print:hidden">
        {canBeInvited(reply) && <IconButton icon={Link} label={t("invite.open", { name })} onClick={onInvite} />}
        <IconButton icon={Pencil} label={t("host.edit", { name })} onClick={onEdit} />
        <IconButton icon={Trash2} label={t("host.remove", { name })} onClick={onRemove} />
      </div>
    </li>
  );
}

/** Whether a personal link can be made: who replied by themselves has one. */
const canBeInvited = ({ guest_id, user_id, invited_at }: HostReply) =>
  user_id === null && (guest_id === null || invited_at !== null);
