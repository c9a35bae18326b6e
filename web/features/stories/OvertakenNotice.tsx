import { TriangleAlert } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { useStoryMedia } from "../../media/use-story-media.ts";
import { Button } from "../../ui/Button.tsx";
import { StoryText } from "./StoryText.tsx";
import type { Version } from "./saving.queries.ts";
import { mediaIn } from "./shown-story.ts";

interface OvertakenNoticeProps {
  client: SupabaseClient;
  memoryId: string;
  /** What somebody else has saved meanwhile; null where they withdrew the story. */
  now: Version | null;
  onTakeTheirs: (theirs: Version) => void;
  onTakeBoth: (theirs: Version) => void;
  onKeepMine: (theirs: Version) => void;
}

const NOT_THERE: Version = { title: "", html: "", updatedAt: null };

/** Says that somebody else was quicker, and shows both: nothing is written over without its writer knowing. */
export function OvertakenNotice({ client, memoryId, now, ...choices }: OvertakenNoticeProps) {
  const { t } = useTranslation("stories");
  const ids = useMemo(() => mediaIn([now?.html ?? ""]), [now]);
  const { media } = useStoryMedia(client, memoryId, ids);
  const notice = useRef<HTMLElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <section
      ref={notice}
      tabIndex={-1}
      aria-labelledby="overtaken"
      className="grid gap-4 rounded-2xl border border-edge bg-raised p-4 outline-none sm:p-6"
    >
      <div className="grid gap-1">
        <h2 id="overtaken" className="flex items-center gap-3 font-semibold">
          <TriangleAlert aria-hidden className="size-5 shrink-0 text-deep" />
          {t("write.overtakenTitle")}
        </h2>
        <p className="text-ink-soft">{now ? t("write.overtakenText") : t("write.goneText")}</p>
      </div>
      {now && (
        <section aria-label={t("write.itsWords")} className="grid gap-2 rounded-xl bg-sunken p-4">
          {now.title && <p className="font-serif text-xl font-semibold">{now.title}</p>}
          <StoryText html={now.html} media={media} titled />
        </section>
      )}
      <div className="flex flex-wrap gap-3">
        {now ? (
          <>
            <Button variant="quiet" onClick={() => choices.onTakeTheirs(now)}>
              {t("write.takeTheirs")}
            </Button>
            <Button variant="quiet" onClick={() => choices.onTakeBoth(now)}>
              {t("write.takeBoth")}
            </Button>
            <Button variant="quiet" onClick={() => choices.onKeepMine(now)}>
              {t("write.keepMine")}
            </Button>
          </>
        ) : (
          <Button onClick={() => choices.onKeepMine(NOT_THERE)}>{t("write.saveNew")}</Button>
        )}
      </div>
    </section>
  );
}
