import { useTranslation } from "react-i18next";
import type { Prompt } from "../../data/prompts.queries.ts";
import { isSuggestion } from "./suggestions.ts";

/** Returns a function to a prompt's text: a suggestion in the reader's language, otherwise the host's words. */
export function usePromptText() {
  const { t } = useTranslation("prompts");
  return ({ text, suggestion }: Pick<Prompt, "text" | "suggestion">): string =>
    isSuggestion(suggestion) ? t(`suggestions.${suggestion}`) : text;
}
