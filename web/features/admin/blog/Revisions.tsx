import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../../lib/request/supabase.ts";
import { useObjectUrl } from "../../../media/uploads/UploadRow.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { LoadMore } from "../../../ui/LoadMore.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeskProblem } from "../DeskTable.tsx";
import { momentText } from "../desk-text.ts";
import {
  coverPictureQuery,
  type DeskPost,
  type PostFields,
  type PostLanguage,
  revisionQuery,
  revisionsQuery,
  useChangePost,
} from "./posts.queries.ts";

/** Renders a post as readers see it. */
export type Preview = (
  post: PostFields & Pick<DeskPost, "slug"> & { published_at: string; coverUrl: string | undefined },
) => ReactNode;

interface RevisionsProps {
  slug: string;
  language: PostLanguage;
  preview: Preview;
  /** Whether the form has unsaved text, which restoring would replace. */
  unsaved?: boolean;
  onRestored: () => void;
}

/** Earlier versions of a post, which can be read and restored; hidden without any. */
export function Revisions({ slug, language, preview, unsaved = false, onRestored }: RevisionsProps) {
  const { t, i18n } = useTranslation("adminBlog");
  const rows = useInfiniteQuery(revisionsQuery(supabase, slug, language));
  const [reading, setReading] = useState<number>();
  const change = useChangePost(supabase);
  if (rows.isLoadingError) return <DeskProblem retry={rows.refetch} />;
  if (!rows.data?.length) return null;
  const restore = (id: number) =>
    // Uses the promise, because the callbacks of `mutate` do not run after this panel is unmounted, which restoring a
    // deleted post causes.
    change.mutateAsync({ restore: id }).then(
      () => {
        setReading(undefined);
        toast({ title: t("revisions.restored"), tone: "success" });
        onRestored();
      },
      () => toast({ title: t("saveFailed"), tone: "problem" }),
    );
  return (
    <Panel compact title={t("revisions.title")}>
      <p className="text-sm text-ink-soft">{t(unsaved ? "revisions.saveFirst" : "revisions.text")}</p>
      <ul className="m-0 grid list-none gap-3 p-0">
        {rows.data.map(({ id, title, written_at }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="min-w-0 wrap-anywhere">
              {title}
              <time dateTime={written_at} className="block text-sm text-ink-soft">
                {t("revisions.until", { moment: momentText(written_at, i18n.language) })}
              </time>
            </span>
            <Button variant="quiet" size="small" onClick={() => setReading(id)}>
              {t("revisions.read")}
            </Button>
          </li>
        ))}
      </ul>
      <LoadMore pages={rows} />
      <Dialog
        title={t("revisions.one")}
        open={reading !== undefined}
        onOpenChange={(open) => !open && setReading(undefined)}
      >
        {reading !== undefined && (
          <div className="grid gap-6">
            <Version id={reading} preview={preview} />
            <Button
              className="justify-self-end"
              disabled={unsaved}
              aria-busy={change.isPending}
              onClick={() => !change.isPending && restore(reading)}
            >
              {t("revisions.restore")}
            </Button>
          </div>
        )}
      </Dialog>
    </Panel>
  );
}

function Version({ id, preview }: { id: number; preview: Preview }) {
  const version = useQuery(revisionQuery(supabase, id));
  const cover = useQuery(coverPictureQuery(supabase, version.data?.cover ?? null));
  const coverUrl = useObjectUrl(cover.data ?? undefined);
  if (version.isLoadingError) return <DeskProblem retry={version.refetch} />;
  if (!version.data) return <Skeleton className="h-60" />;
  const { published_at, written_at, language } = version.data;
  return <div lang={language}>{preview({ ...version.data, coverUrl, published_at: published_at ?? written_at })}</div>;
}
