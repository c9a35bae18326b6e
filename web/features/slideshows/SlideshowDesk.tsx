import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useHiddenSlideshows } from "../../actions/slideshow-deletions.ts";
import type { Photo } from "../../data/media.queries.ts";
import type { Memory } from "../../data/memories.queries.ts";
import { type Slideshow, useAddSlideshow } from "../../data/slideshows.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { MediaUrlCacheProvider, useNewMediaUrlCache } from "../../media/use-media-urls.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { toast } from "../../ui/toasts.tsx";
import { SlideshowStudio } from "./SlideshowStudio.tsx";

interface SlideshowDeskProps {
  memory: Memory;
  stored: readonly Slideshow[];
  /** Everything in the memory. */
  media: readonly Photo[];
}

/** The slideshows of a memory, of which one is open. */
export function SlideshowDesk({ memory, stored, media }: SlideshowDeskProps) {
  const { t } = useTranslation("slideshows");
  const urls = useNewMediaUrlCache(supabase);
  const [search, setSearch] = useSearchParams();
  const hidden = useHiddenSlideshows();
  const add = useAddSlideshow(supabase, memory.id);
  const slideshows = stored.filter(({ id }) => !hidden.has(id));
  const open = slideshows.find(({ id }) => id === search.get("slideshow")) ?? slideshows[0];
  const show = (id: string) => setSearch({ slideshow: id }, { replace: true });
  const onAdd = () =>
    add.mutate(
      { id: crypto.randomUUID(), title: t("newTitle", { number: slideshows.length + 1 }) },
      { onSuccess: show, onError: () => toast({ title: t("addFailed"), tone: "problem" }) },
    );
  const addButton = (
    <Button icon={Plus} variant={open ? "quiet" : "primary"} aria-busy={add.isPending} onClick={onAdd}>
      {t("add")}
    </Button>
  );
  if (!open) {
    return (
      <Empty picture="done" title={t("empty.title")} text={t("empty.text")}>
        {addButton}
      </Empty>
    );
  }
  return (
    <MediaUrlCacheProvider value={urls}>
      <div className="flex flex-wrap items-center gap-3">
        {slideshows.length > 1 && (
          <SegmentedControl
            label={t("title")}
            column="phones"
            value={open.id}
            onChange={show}
            options={slideshows.map(({ id, title }) => ({ value: id, label: <bdi>{title}</bdi> }))}
          />
        )}
        {addButton}
      </div>
      <h2 dir="auto" className="font-serif text-3xl wrap-anywhere">
        {open.title}
      </h2>
      <SlideshowStudio key={open.id} memory={memory} stored={open} media={media} />
    </MediaUrlCacheProvider>
  );
}
