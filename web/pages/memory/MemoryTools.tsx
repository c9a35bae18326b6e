import { useQuery } from "@tanstack/react-query";
import { Ellipsis, type LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MemoryContext } from "../../data/memory-context.ts";
import { waitingQuery } from "../../data/moderation.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";

const DownloadButton = lazyPart(() => import("../../media/downloads/DownloadButton.tsx"), "nothing");
const MemoryNoticesButton = lazyPart(() => import("../../features/notices/MemoryNoticesButton.tsx"), "nothing");
const PeopleButton = lazyPart(() => import("../../features/people/PeopleButton.tsx"), "nothing");
const ShareButton = lazyPart(() => import("../../features/sharing/ShareButton.tsx"), "nothing");
const WaitingButton = lazyPart(() => import("../../features/moderation/WaitingButton.tsx"), "nothing");

/** An action on the whole memory, for managers. */
export interface MemoryAction {
  icon: LucideIcon;
  label: string;
  onSelect: () => void;
  tone?: "danger";
}

interface MemoryToolsProps {
  context: MemoryContext;
  /** The reader's own next step. */
  lead?: ReactNode;
  /** Wide screens always show the first; the others are in a menu. */
  actions: readonly MemoryAction[];
}

/** The actions under a memory's name. Phones and tablets show Share, and the others with words in a panel. */
export function MemoryTools({ context, lead, actions: [first, ...others] }: MemoryToolsProps) {
  const { client, rights, memory } = context;
  const { t } = useTranslation("memories");
  const [open, setOpen] = useState(false);
  const member = rights.role !== null && rights.role !== "visitor";
  const waiting = useQuery({ ...waitingQuery(client), enabled: rights.manage }).data?.[memory.id] ?? 0;
  return (
    <div className="mt-3 flex flex-wrap gap-2 sm:gap-3">
      {lead}
      {rights.manage && <ShareButton {...context} />}
      {member && (
        <span className="relative lg:hidden">
          <IconButton
            label={t("page.more")}
            variant="cover"
            aria-expanded={open}
            aria-controls="memory-tools"
            onClick={() => setOpen(!open)}
          >
            <Ellipsis aria-hidden className="size-5" />
          </IconButton>
          {waiting > 0 && <span aria-hidden className="absolute top-0 right-0 size-3 rounded-full bg-teal" />}
        </span>
      )}
      <div
        id="memory-tools"
        className={classNames(
          "flex flex-wrap gap-2 sm:gap-3",
          member &&
            "max-lg:grid max-lg:w-full max-lg:grid-cols-2 max-lg:*:justify-start max-lg:*:px-4 max-lg:*:text-start sm:max-lg:grid-cols-3",
          member && !open && "max-lg:hidden!",
        )}
      >
        {rights.manage && <WaitingButton {...context} />}
        {rights.download && <DownloadButton {...context} compact={!member && !!lead} />}
        {member && <PeopleButton {...context} />}
        {member && <MemoryNoticesButton {...context} />}
        {first && <ActionButton action={first} />}
        {others.map((action) => (
          <ActionButton
            key={action.label}
            action={action}
            className={classNames("lg:hidden", action.tone === "danger" && "col-span-full")}
          />
        ))}
        {others.length > 0 && (
          <div className="max-lg:hidden">
            <Menu
              align="start"
              trigger={
                <IconButton label={t("page.more")} variant="cover">
                  <Ellipsis aria-hidden className="size-5" />
                </IconButton>
              }
            >
              {others.map(({ icon: Icon, label, onSelect, tone }) => (
                <MenuItem key={label} onSelect={onSelect} tone={tone}>
                  <Icon aria-hidden className="size-5" />
                  {label}
                </MenuItem>
              ))}
            </Menu>
          </div>
        )}
      </div>
    </div>
  );
}

function ActionButton({
  action: { icon: Icon, label, onSelect, tone },
  className,
}: {
  action: MemoryAction;
  className?: string;
}) {
  return (
    <Button variant={tone ?? "cover"} className={className} onClick={onSelect}>
      <Icon aria-hidden className="size-5 shrink-0" />
      {label}
    </Button>
  );
}
