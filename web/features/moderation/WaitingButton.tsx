import { useQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useQueueLive, waitingQuery } from "../../data/moderation.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";

/** A link to the held items with their number, on wide screens. Nothing if no item waits. */
export default function WaitingButton({ memory }: { memory: { id: string } }) {
  const { t } = useTranslation("moderation");
  useQueueLive(supabase, memory.id);
  const count = useQuery(waitingQuery(supabase)).data?.[memory.id] ?? 0;
  if (count === 0) return null;
  const label = t("openWith", { count });
  return (
    <Button asChild variant="cover">
      <Link to={paths.waiting(memory.id)} aria-label={label} title={label}>
        <Inbox aria-hidden className="size-5 shrink-0" />
        <span aria-hidden className="tabular-nums">
          {Math.min(count, 99)}
        </span>
      </Link>
    </Button>
  );
}
