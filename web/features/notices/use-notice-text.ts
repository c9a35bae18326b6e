import { useTranslation } from "react-i18next";
import type { Notice } from "./notice.ts";

/** Returns a function that formats a notice as a sentence, without the name of its memory. */
export function useNoticeText() {
  const { t } = useTranslation("notices");
  return ({ kind, actor_name, count }: Pick<Notice, "kind" | "actor_name" | "count">): string => {
    const who = actor_name || t("someone");
    switch (kind) {
      case "added":
      case "birthday":
      case "passing":
      case "event":
      case "file-lost":
        return t(`said.${kind}`, { who, count });
      default:
        return t(`said.${kind}`, { who });
    }
  };
}
