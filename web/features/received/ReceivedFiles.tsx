import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { type MemorySummary, sharedMemoriesQuery } from "../../data/memories.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { MemoryChoice } from "../../media/covers/MemoryChoice.tsx";
import { MemoryPicker } from "../../media/covers/MemoryPicker.tsx";
import { ownUploads } from "../../media/uploads/queues.ts";
import { forgetReceived, type ReceivedFile } from "../../media/uploads/received-files.ts";
import { FilePreview } from "../../media/uploads/UploadRow.tsx";
import { useNewMediaUrlCache } from "../../media/use-media-urls.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { toast } from "../../ui/toasts.tsx";

/** The previews that are shown; more files are counted. */
const PREVIEWS = 8;

interface ReceivedFilesProps {
  received: readonly ReceivedFile[];
  /** Called when the files have been discarded. */
  onDiscarded: () => void;
}

/** Files that another app has shared, and the memories to which the person may add them. */
export function ReceivedFiles({ received, onDiscarded }: ReceivedFilesProps) {
  const { t } = useTranslation("received");
  const { id: who } = useUser();
  const navigate = useNavigate();
  const urls = useNewMediaUrlCache(supabase);
  const shared = useQuery(sharedMemoriesQuery(supabase, who));
  const others = shared.data?.filter(({ role }) => role !== "viewer") ?? [];
  const [isAdding, setIsAdding] = useState(false);
  const count = received.length;

  // If that fails, they are offered again, and recognised as duplicates.
  const forget = () => forgetReceived(received.map(({ id }) => id)).catch(() => {});

  async function addTo({ id: memoryId, person_name: name }: MemorySummary, firstAsCover: boolean) {
    setIsAdding(true);
    const files = received.map(({ file }) => file);
    // The queue stores the files before they are forgotten here.
    await ownUploads().add({ who, memoryId, files, firstAsCover });
    await forget();
    toast({ title: t("added", { count, name }), tone: "success" });
    void navigate(paths.memory(memoryId), { replace: true });
  }

  async function discard() {
    await forget();
    toast({ title: t("discarded") });
    onDiscarded();
  }

  /** Only a manager chooses the cover. */
  const choice = (memory: MemorySummary, isManager: boolean) => (
    <MemoryChoice
      memory={memory}
      urls={urls}
      disabled={isAdding}
      onChoose={() => void addTo(memory, isManager && memory.cover === null)}
    />
  );
  return (
    <div className="grid max-w-2xl gap-8">
      <div className="grid gap-3">
        <p className="text-lg">{t("count", { count })}</p>
        <ul className="flex flex-wrap items-center gap-2">
          {received.slice(0, PREVIEWS).map(({ id, file }) => (
            <li key={id}>
              <FilePreview upload={{ file, type: file.type }} className="size-16 rounded-xl" />
            </li>
          ))}
          {count > PREVIEWS && <li className="ps-1 text-ink-soft">{t("more", { count: count - PREVIEWS })}</li>}
        </ul>
      </div>
      <section className="grid gap-3">
        <h2 className="font-serif text-2xl">{t("choose")}</h2>
        <MemoryPicker offers={() => true} none={t("none")} failed={t("failed")}>
          {(memory) => choice(memory, true)}
        </MemoryPicker>
      </section>
      {shared.isLoadingError && <Problem error={new Error(t("failed"))} retry={shared.refetch} />}
      {others.length > 0 && (
        <section className="grid gap-3">
          <h2 className="font-serif text-2xl">{t("shared")}</h2>
          <ul className="grid gap-1">
            {others.map((memory) => (
              <li key={memory.id}>{choice(memory, false)}</li>
            ))}
          </ul>
        </section>
      )}
      <div className="flex flex-wrap gap-3">
        <Button asChild variant="quiet">
          <Link to={paths.newMemory()} state={{ addReceived: true }}>
            {t("create")}
          </Link>
        </Button>
        <Button variant="plain" disabled={isAdding} onClick={() => void discard()}>
          {t("discard")}
        </Button>
      </div>
    </div>
  );
}
