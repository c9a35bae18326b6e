import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useUnblock } from "../../actions/moderation.ts";
import { blocksQuery } from "../../data/moderation.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import type { PeopleContext } from "./people-context.ts";

/** Who is shut out of a memory, and the way to let them back in; nothing where nobody is. */
export function BlockedPeople({ memory }: Pick<PeopleContext, "memory">) {
  const { t } = useTranslation("moderation");
  const blocks = useQuery(blocksQuery(supabase, memory.id));
  const unblock = useUnblock(supabase, memory.id);
  if (!blocks.data?.length) return null;
  return (
    <section aria-labelledby="blocked-title" className="border-t border-line pt-6">
      <h3 id="blocked-title" className="pb-2 font-serif text-xl">
        {t("blockedTitle")}
      </h3>
      <p className="pb-2 text-sm text-ink-soft">{t("blockedText")}</p>
      <ul className="grid gap-1">
        {blocks.data.map((block) => (
          <li key={block.id} className="flex min-h-14 flex-wrap items-center justify-between gap-3">
            <span className="min-w-0 font-semibold wrap-anywhere">{block.name || t("someone")}</span>
            <Button
              size="small"
              variant="quiet"
              aria-label={t("unblock", { name: block.name || t("someone") })}
              onClick={() => void unblock(block)}
            >
              {t("unblockShort")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
