import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { secretsQuery } from "../../data/link-secret.queries.ts";
import type { Memory } from "../../data/memories.queries.ts";
import { requestAsUser, supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import type { Card, Style } from "./lay-out-cards.ts";
import { type Choices, chosenLinks } from "./print-choices.ts";
import type { PrintedLink } from "./printing.queries.ts";
import type { PrintState } from "./SavePdf.tsx";
import { useMeasure } from "./use-measure.ts";

/** The texts that all cards share. */
export type CardTexts = Pick<Card, "title" | "message" | "hint"> & { placeWords: string };

interface Printed {
  choices: Choices;
  design: Style["design"];
  memory: Pick<Memory, "kind">;
  links: readonly PrintedLink[];
  texts: CardTexts;
  names: readonly string[];
}

/** The pages as they are printed, and whether the chosen secrets could be read. */
export function usePrintedPages(printed: Printed): PrintState & { secretFailed: boolean } {
  const { choices, texts, names, links } = printed;
  const { t } = useTranslation("printing");
  const chosen = chosenLinks(links, choices);
  const asking = choices.printsSecret ? chosen.filter(({ asks }) => asks !== null) : [];
  const secrets = useQuery(secretsQuery(supabase, asking, requestAsUser));
  const cards = cardsOf(choices, chosen, texts, names, (link) => {
    const secret = secrets.data?.[asking.indexOf(link)];
    return link.asks && secret ? t(`codes.${link.asks}`, { secret }) : "";
  });
  const isWaiting = asking.length > 0 && secrets.isPending;
  const { format, bleed } = choices;
  const { design, memory } = printed;
  const content = JSON.stringify(cards);
  const { tools, measure, isError } = useMeasure(content);
  const result = useMemo((): PrintState => {
    const printedCards = JSON.parse(content) as Card[];
    if (printedCards.length === 0) return { state: "nothing" };
    if (!tools || !measure || isWaiting) return { state: "waiting" };
    const style: Style = { format, bleed, design, kind: memory.kind };
    const pages = tools.pagesOf(printedCards, style, measure);
    if (typeof pages === "string") return { state: pages };
    return { state: "ready", pages, pdf: (title) => tools.pdfOf(pages, title) };
  }, [content, tools, measure, isWaiting, format, bleed, design, memory.kind]);
  const secretFailed = asking.length > 0 && (secrets.isError || secrets.data?.includes(null) === true);
  return { ...(isError ? { state: "failed" as const } : result), secretFailed };
}

function cardsOf(
  { format, codes, copies }: Choices,
  links: readonly PrintedLink[],
  { placeWords, ...texts }: CardTexts,
  names: readonly string[],
  secretOf: (link: PrintedLink) => string,
): Card[] {
  const codeOf = (link: PrintedLink) => ({
    url: new URL(paths.shared(link.share_id), location.origin).href,
    secret: secretOf(link),
  });
  if (format === "places") {
    const code = links[0] ? codeOf(links[0]) : { secret: "" };
    return names.map((name) => ({ ...code, name, title: "", message: placeWords, hint: "" }));
  }
  const sheet = { cards4: 4, cards8: 8, cards10: 10, a5: 1, a4: 1, a3: 1 }[format];
  return links.flatMap((link) => {
    const card = { ...texts, ...codeOf(link), name: codes === "each" ? link.label : "" };
    return Array.from({ length: codes === "one" ? sheet : copies }, () => card);
  });
}
