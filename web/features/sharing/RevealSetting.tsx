import { useQuery } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { revealTimeText } from "../../actions/reveal/reveal-text.ts";
import { memoryQuery } from "../../data/memories.queries.ts";
import { isWaiting } from "../../data/reveal.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Setting } from "./links/LinkSettings.tsx";

const RevealForm = lazyPart(async () => ({
  default: (await import("../../actions/reveal/RevealForm.tsx")).RevealForm,
}));

/** The setting of a memory for when its guests see what others have added. */
export default function RevealSetting({ memoryId }: { memoryId: string }) {
  const { t, i18n } = useTranslation("reveal");
  const memory = useQuery(memoryQuery(supabase, memoryId)).data;
  const [open, setOpen] = useState(false);
  if (!memory) return null;
  const { reveal } = memory;
  const state = !reveal
    ? t("state.off")
    : !isWaiting(reveal, serverNow())
      ? t("state.revealed")
      : reveal.reveal_at === null
        ? t("state.pressed")
        : t("state.waits", { time: revealTimeText(reveal.reveal_at, reveal.time_zone, i18n.language) });
  return (
    <Setting icon={Sparkles} title={t("title")} state={state} open={open} onToggle={() => setOpen(!open)}>
      <Suspense fallback={<Skeleton className="h-96" />}>
        <RevealForm
          key={reveal?.revision}
          client={supabase}
          memory={memory}
          stored={reveal}
          onClosed={() => setOpen(false)}
        />
      </Suspense>
    </Setting>
  );
}
