import { useTranslation } from "react-i18next";
import { ReplyRefusal } from "../../../data/day-replies.queries.ts";
import { FunctionRefusal } from "../../../lib/request/call-function.ts";

const NAMED = [
  "closed",
  "part_gone",
  "choice_gone",
  "not_found",
  "reply_gone",
  "too_many_replies",
  "too_many_guests",
  "blocked",
] as const;

/** Returns a function that says why a reply was not saved. */
export function useRefusalText() {
  const { t } = useTranslation("dayReplies");
  return (error: Error): string => {
    const code = error instanceof ReplyRefusal || error instanceof FunctionRefusal ? error.code : undefined;
    const detail = error instanceof ReplyRefusal ? error.detail : null;
    if (code === "full") return t("form.refusals.full", { count: Number(detail) || 0 });
    if (code === "too_many_persons") return t("form.refusals.most", { count: Number(detail) || 0 });
    return t(`form.refusals.${NAMED.find((name) => name === code) ?? "failed"}`);
  };
}
