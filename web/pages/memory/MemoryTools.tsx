import { useQuery } from "@tanstack/react-query";
import {
  BellRing,
  BookImage,
  CalendarPlus,
  Clapperboard,
  Download,
  Focus,
  Inbox,
  MessageCircleQuestion,
  MonitorPlay,
  Pencil,
  Trash2,
  Users,
} from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { MemoryContext } from "../../data/memory-context.ts";
import { queueQuery, waitingQuery } from "../../data/moderation.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { useDownload } from "../../media/downloads/downloads.queries.ts";
import { paths } from "../../paths.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { type Tool, ToolMenu, ToolSheet } from "./ToolMenus.tsx";

const InviteByEmail = lazyPart(() => import("../../features/people/InviteByEmail.tsx"));
const WaitingButton = lazyPart(() => import("../../features/moderation/WaitingButton.tsx"), "nothing");
const DownloadButton = lazyPart(() => import("../../media/downloads/DownloadButton.tsx"), "nothing");
const ShareButton = lazyPart(() => import("../../features/sharing/ShareButton.tsx"), "nothing");
const PeopleDialog = lazyPart(() => import("../../features/people/PeopleDialog.tsx"), "over the page");
const WallDialog = lazyPart(() => import("../../features/wall/WallDialog.tsx"), "over the page");
const MemoryNoticesDialog = lazyPart(() => import("../../features/notices/MemoryNoticesDialog.tsx"), "over the page");

/** What managers can do with the whole memory. Absent actions have no use now, or are not the reader's. */
export interface MemoryActions {
  edit?: () => void;
  cover?: () => void;
  day?: () => void;
  album?: () => void;
  remove?: () => void;
}

interface MemoryToolsProps {
  context: MemoryContext;
  /** The reader's own next step. */
  lead?: ReactNode;
  actions: MemoryActions;
  /** Whether there is anything to download. */
  downloadable: boolean;
}

/**
 * The actions below a memory's name: Share, and one button for all others. It opens a sheet on phones and tablets, and a
 * menu on wide screens, which also show the two that are used most.
 */
export function MemoryTools({ context, lead, actions, downloadable }: MemoryToolsProps) {
  const { rights, memory } = context;
  const isMember = rights.role !== null && rights.role !== "visitor";
  return (
    <div className="mt-3 flex flex-wrap gap-2 sm:gap-3">
      {lead}
      {rights.manage && (
        <ShareButton
          {...context}
          invite={
            <Suspense fallback={<Skeleton className="h-96" />}>
              <InviteByEmail memory={memory} own={rights.delete} />
            </Suspense>
          }
        />
      )}
      {isMember ? (
        <MemberTools context={context} actions={actions} downloadable={downloadable} />
      ) : (
        rights.download && <DownloadButton {...context} compact={!!lead} />
      )}
    </div>
  );
}

function MemberTools({ context, actions, downloadable }: Omit<MemoryToolsProps, "lead">) {
  const { client, memory, rights } = context;
  const { t } = useTranslation([
    "memories",
    "gallery",
    "albums",
    "people",
    "notices",
    "downloads",
    "moderation",
    "day",
  ]);
  const navigate = useNavigate();
  const goTo = (path: string) => () => void navigate(path);
  const download = useDownload(client);
  const downloadAll = () => download({ memoryId: memory.id }, memory.person_name);
  const waiting = useQuery({ ...waitingQuery(client), enabled: rights.manage }).data?.[memory.id] ?? 0;
  const hidden = useQuery({ ...queueQuery(client, memory.id, "hidden"), enabled: rights.manage }).data?.length ?? 0;
  const [open, setOpen] = useState<"people" | "emails" | "wall">();
  const close = () => setOpen(undefined);
  const { edit, cover, day, album, remove } = actions;
  const inbox = {
    icon: Inbox,
    label: waiting > 0 ? t("moderation:openWith", { count: waiting }) : t("moderation:open"),
    onSelect: goTo(paths.waiting(memory.id)),
  };
  const tools: Tool[] = [
    ...(waiting + hidden > 0 ? [inbox] : []),
    ...(edit ? [{ icon: Pencil, label: t("page.edit"), frequent: true, onSelect: edit }] : []),
    ...(day ? [{ icon: CalendarPlus, label: t("day:edit.first"), onSelect: day }] : []),
    ...(cover ? [{ icon: Focus, label: t("gallery:cover.edit"), onSelect: cover }] : []),
    { icon: Users, label: t("people:open"), frequent: true, onSelect: () => setOpen("people") },
    ...(rights.contribute && downloadable && !memory.draft
      ? [{ icon: MessageCircleQuestion, label: t("page.questions"), onSelect: goTo(paths.questions(memory.id)) }]
      : []),
    ...(rights.manage && !memory.draft
      ? [
          // Without photos there is no cover to choose, and nothing to show.
          ...(cover
            ? [{ icon: Clapperboard, label: t("page.slideshows"), onSelect: goTo(paths.slideshows(memory.id)) }]
            : []),
          { icon: MonitorPlay, label: t("page.wall"), onSelect: () => setOpen("wall") },
        ]
      : []),
    { icon: BellRing, label: t("notices:memory.open"), onSelect: () => setOpen("emails") },
    ...(album ? [{ icon: BookImage, label: t("albums:choose.action"), onSelect: album }] : []),
    ...(rights.download && downloadable
      ? [{ icon: Download, label: t("downloads:download"), onSelect: downloadAll }]
      : []),
    ...(remove ? [{ icon: Trash2, label: t("page.delete"), tone: "danger" as const, onSelect: remove }] : []),
  ];

  return (
    <>
      <div className="flex gap-3 max-lg:hidden">
        <ToolMenu tools={tools} />
        {rights.manage && <WaitingButton {...context} />}
      </div>
      <div className="lg:hidden">
        <ToolSheet tools={tools} waiting={waiting > 0} />
      </div>
      <Suspense>
        {open === "people" && <PeopleDialog {...context} onClose={close} />}
        {open === "wall" && <WallDialog {...context} onClose={close} />}
        {open === "emails" && <MemoryNoticesDialog {...context} onClose={close} />}
      </Suspense>
    </>
  );
}
