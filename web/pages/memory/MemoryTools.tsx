import { useQuery } from "@tanstack/react-query";
import {
  BellRing,
  BookImage,
  Download,
  Ellipsis,
  Focus,
  Inbox,
  type LucideIcon,
  Pencil,
  Trash2,
  Users,
} from "lucide-react";
import { Fragment, type ReactNode, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { MemoryContext } from "../../data/memory-context.ts";
import { queueQuery, waitingQuery } from "../../data/moderation.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { useDownload } from "../../media/downloads/downloads.queries.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";

const WaitingButton = lazyPart(() => import("../../features/moderation/WaitingButton.tsx"), "nothing");
const DownloadButton = lazyPart(() => import("../../media/downloads/DownloadButton.tsx"), "nothing");
const ShareButton = lazyPart(() => import("../../features/sharing/ShareButton.tsx"), "nothing");
const PeopleDialog = lazyPart(() => import("../../features/people/PeopleDialog.tsx"), "over the page");
const MemoryNoticesDialog = lazyPart(() => import("../../features/notices/MemoryNoticesDialog.tsx"), "over the page");

/** What managers can do with the whole memory. Absent actions have no use now, or are not the reader's. */
export interface MemoryActions {
  edit?: () => void;
  cover?: () => void;
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

/** An action in the sheet or the menu. */
interface Tool {
  icon: LucideIcon;
  label: string;
  tone?: "danger";
  onSelect: () => void;
}

/**
 * The actions below a memory's name: Share, and one button for all others. It opens a sheet on phones and tablets, and a
 * menu on wide screens, which also show the two that are used most.
 */
export function MemoryTools({ context, lead, actions, downloadable }: MemoryToolsProps) {
  const { rights } = context;
  const isMember = rights.role !== null && rights.role !== "visitor";
  return (
    <div className="mt-3 flex flex-wrap gap-2 sm:gap-3">
      {lead}
      {rights.manage && <ShareButton {...context} />}
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
  const { t } = useTranslation(["memories", "gallery", "albums", "people", "notices", "downloads", "moderation"]);
  const navigate = useNavigate();
  const download = useDownload(client);
  const waiting = useQuery({ ...waitingQuery(client), enabled: rights.manage }).data?.[memory.id] ?? 0;
  const hidden = useQuery({ ...queueQuery(client, memory.id, "hidden"), enabled: rights.manage }).data?.length ?? 0;
  const [open, setOpen] = useState<"people" | "emails">();
  const close = () => setOpen(undefined);
  const { edit, cover, album, remove } = actions;

  const tools: Tool[] = [
    ...(waiting + hidden > 0
      ? [
          {
            icon: Inbox,
            label: waiting > 0 ? t("moderation:openWith", { count: waiting }) : t("moderation:open"),
            onSelect: () => void navigate(paths.waiting(memory.id)),
          },
        ]
      : []),
    ...(edit ? [{ icon: Pencil, label: t("page.edit"), onSelect: edit }] : []),
    ...(cover ? [{ icon: Focus, label: t("gallery:cover.edit"), onSelect: cover }] : []),
    { icon: Users, label: t("people:open"), onSelect: () => setOpen("people") },
    { icon: BellRing, label: t("notices:memory.open"), onSelect: () => setOpen("emails") },
    ...(album ? [{ icon: BookImage, label: t("albums:choose.action"), onSelect: album }] : []),
    ...(rights.download && downloadable
      ? [
          {
            icon: Download,
            label: t("downloads:download"),
            onSelect: () => download({ memoryId: memory.id }, memory.person_name),
          },
        ]
      : []),
    ...(remove ? [{ icon: Trash2, label: t("page.delete"), tone: "danger" as const, onSelect: remove }] : []),
  ];

  return (
    <>
      <div className="flex gap-3 max-lg:hidden">
        {edit && <PillButton icon={Pencil} label={t("page.edit")} onClick={edit} />}
        <PillButton icon={Users} label={t("people:open")} onClick={() => setOpen("people")} />
        <ToolMenu tools={tools.filter(({ icon }) => icon !== Pencil && icon !== Users)} />
        {rights.manage && <WaitingButton {...context} />}
      </div>
      <div className="lg:hidden">
        <ToolSheet tools={tools} waiting={waiting > 0} />
      </div>
      <Suspense>
        {open === "people" && <PeopleDialog {...context} onClose={close} />}
        {open === "emails" && <MemoryNoticesDialog {...context} onClose={close} />}
      </Suspense>
    </>
  );
}

function PillButton({ icon: Icon, label, onClick }: { icon: LucideIcon; label: string; onClick: () => void }) {
  return (
    <Button variant="cover" onClick={onClick}>
      <Icon aria-hidden className="size-5 shrink-0" />
      {label}
    </Button>
  );
}

function ToolMenu({ tools }: { tools: readonly Tool[] }) {
  const { t } = useTranslation("memories");
  return (
    <Menu
      align="start"
      trigger={
        <IconButton label={t("page.more")} variant="cover">
          <Ellipsis aria-hidden className="size-5" />
        </IconButton>
      }
    >
      {tools.map(({ icon, label, onSelect, tone }) => (
        <Fragment key={label}>
          {tone && <MenuSeparator />}
          <MenuItem icon={icon} onSelect={onSelect} tone={tone}>
            {label}
          </MenuItem>
        </Fragment>
      ))}
    </Menu>
  );
}

/** The actions in a sheet from below. It closes first, so that what an action opens returns the focus to the button. */
function ToolSheet({ tools, waiting }: { tools: readonly Tool[]; waiting: boolean }) {
  const { t } = useTranslation("memories");
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const chosen = useRef<() => void>(undefined);
  const onClosed = () => {
    button.current?.focus({ preventScroll: true });
    chosen.current?.();
    chosen.current = undefined;
  };
  return (
    <span className="relative">
      <IconButton
        ref={button}
        label={t("page.more")}
        variant="cover"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Ellipsis aria-hidden className="size-5" />
      </IconButton>
      {waiting && <span aria-hidden className="absolute top-0 right-0 size-3 rounded-full bg-teal" />}
      <Dialog title={t("page.actions")} open={open} onOpenChange={setOpen} onClosed={onClosed}>
        <ul id="memory-tools" className="-mx-3 -mt-2 grid">
          {tools.map(({ icon: Icon, label, onSelect, tone }) => (
            <li key={label} className={classNames(tone && "mt-2 border-t border-line pt-2")}>
              <button
                type="button"
                onClick={() => {
                  chosen.current = onSelect;
                  setOpen(false);
                }}
                className={classNames(
                  "flex min-h-12 w-full cursor-pointer items-center gap-4 rounded-xl px-3 text-start hover:bg-wash",
                  tone ? "text-danger-text" : "hover:text-deep",
                )}
              >
                <Icon aria-hidden className="size-5 shrink-0" />
                {label}
              </button>
            </li>
          ))}
        </ul>
      </Dialog>
    </span>
  );
}
