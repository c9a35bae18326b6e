import { useTranslation } from "react-i18next";
import type { DayReply } from "../../../data/day-replies.queries.ts";
import { namesOf, stateOf } from "../../../data/reply-state.ts";

/** Returns a function that tells a person what their reply says. */
export function useOwnReplyText(parts: readonly { id: string; title: string }[]) {
  const { t } = useTranslation("dayReplies");
  return (reply: DayReply): string => {
    const state = stateOf(reply);
    if (state === "no") return t("own.no");
    const names = namesOf(reply, (name) => t("guestOf", { name })).join(", ");
    const titles = parts.filter(({ id }) => reply.part_ids.includes(id)).map(({ title }) => title);
    const text = t(`own.${state === "open" ? "invited" : state}`, { names });
    return parts.length > 1 && titles.length > 0 ? `${text} ${t("own.parts", { parts: titles.join(", ") })}` : text;
  };
}
