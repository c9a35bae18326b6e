import { useQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQueueLive, waitingQuery } from "../../data/moderation.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";

/** A link to the held items with their number. Always present, so that nothing moves. */
export default function WaitingButton({ memory }: { memory: { id: string } }) {
  const { t } = useTranslation("moderation");
  useQueueLive(supabase, memory.id);
  const count = useQuery(waitingQuery(supabase)).data?.[memory.id] ?? 0;
  const label = count > 0 ? t("openWith", { count }) : t("open");
  return (
    <Button asChild variant="cover" className="relative lg:w-11 lg:px-0!">
      <Link to={paths.waiting(memory.id)} aria-label={label} title={label}>
        <Inbox aria-hidden className="size-5 shrink-0" />
        <span aria-hidden className="lg:hidden">
          {t("open")}
        </span>
        {count > 0 && (
          <span
            aria-hidden
            className="absolute -top-1.5 -right-1.5 grid min-h-6 min-w-6 place-content-center rounded-full bg-teal px-1 text-sm text-night tabular-nums"
          >
            {Math.min(count, 99)}
          </span>
        )}
      </Link>
    </Button>
  );
}
