import {
  CalendarClock,
  Captions,
  CheckCheck,
  Download,
  FolderInput,
  MessageCircleQuestion,
  Share2,
  Star,
  Trash2,
  UserPlus,
  X,
} from "lucide-react";
import { type ReactNode, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Photo } from "../../../data/media.queries.ts";
import { lazyPart } from "../../../lib/browser/lazy-part.ts";
import { useLatest } from "../../../lib/browser/use-latest.ts";
import { DESCRIBING, photoSearch } from "../../../media/use-photo-route.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { isEditable } from "../editing/editable.ts";
import { mayAskAbout } from "../letters/may-ask-about.ts";
import type { PhotoActions } from "../photo-actions.ts";
import { SidesMenu } from "../sides/SidesMenu.tsx";
import { useShareLabel } from "../use-share-photos.ts";
import type { Selection } from "./use-selection.ts";

const TurnTools = lazyPart(async () => ({ default: (await import("../editing/TurnTools.tsx")).TurnTools }), "nothing");

interface SelectionBarProps {
  photos: readonly Photo[];
  selection: Selection;
  actions: PhotoActions | undefined;
  /** Undefined if the reader may not download. */
  onDownload: ((photos: readonly Photo[]) => void) | undefined;
  /** Undefined if the reader may not download, or the browser has no share sheet for files. */
  onShare: ((photos: readonly Photo[]) => void) | undefined;
  onDate: (photos: readonly Photo[]) => void;
  /** Undefined if the reader may name people on none of the photos. */
  mayName: ((photo: Photo) => boolean) | undefined;
  onName: (photos: readonly Photo[]) => void;
  /** Undefined if the reader may not ask people outside. */
  onAsk: ((photos: readonly Photo[]) => void) | undefined;
  onEnd: () => void;
}

/** Renders the actions on the selected photos, at the window's lower edge. */
export function SelectionBar(props: SelectionBarProps) {
  const { photos, selection, actions, onDownload, onShare, onDate, mayName, onName, onAsk, onEnd } = props;
  const { t } = useTranslation(["gallery", "downloads", "pictured"]);
  const shareLabel = useShareLabel();
  const navigate = useNavigate();
  const chosen = photos.filter(({ id }) => selection.ids.has(id));
  const [only] = chosen.length === 1 ? chosen : [];
  const own = chosen.length > 0 && actions !== undefined && chosen.every(actions.mayChange);
  const endRef = useLatest(onEnd);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // An open dialog or menu handles Escape first.
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("[role=dialog], [role=menu]")) {
        endRef.current();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const thenEnd = (work: () => void) => () => {
    work();
    onEnd();
  };

  return (
    <div
      role="toolbar"
      aria-label={t("select.bar")}
      data-foot
      className="sticky bottom-[max(1rem,env(safe-area-inset-bottom))] z-20 mx-auto flex max-w-full flex-wrap items-center rounded-3xl sm:gap-1 border border-line bg-raised p-1.5 shadow-lifted motion-safe:animate-rise"
    >
      <IconButton icon={X} label={t("select.end")} onClick={onEnd} />
      <p aria-live="polite" className="px-1 font-semibold tabular-nums">
        {/* On phones there is space only for the number. */}
        <span className="max-sm:sr-only">{t("select.count", { count: chosen.length })}</span>
        <span aria-hidden className="sm:hidden">
          {chosen.length}
        </span>
      </p>
      <Tool label={t("select.all")} isVisible onClick={() => selection.set(photos.map(({ id }) => id))}>
        <CheckCheck aria-hidden className="size-5" />
      </Tool>
      <Tool
        label={t("select.describe")}
        isVisible={own && only !== undefined}
        onClick={thenEnd(
          () => only && navigate({ search: photoSearch(only.id) }, { state: DESCRIBING, preventScrollReset: true }),
        )}
      >
        <Captions aria-hidden className="size-5" />
      </Tool>
      <Tool label={t("date.set")} isVisible={own} onClick={() => onDate(chosen)}>
        <CalendarClock aria-hidden className="size-5" />
      </Tool>
      <Tool
        label={t("pictured:many.tool")}
        isVisible={chosen.length > 0 && mayName !== undefined && chosen.every(mayName)}
        onClick={() => onName(chosen)}
      >
        <UserPlus aria-hidden className="size-5" />
      </Tool>
      <Tool
        label={t("pictured:askOne")}
        isVisible={onAsk !== undefined && mayAskAbout(chosen)}
        onClick={() => onAsk?.(chosen)}
      >
        <MessageCircleQuestion aria-hidden className="size-5" />
      </Tool>
      <Tool
        label={t("select.cover")}
        isVisible={only?.state === "ready" && only.type !== "audio" && actions?.chooseCover !== undefined}
        onClick={thenEnd(() => only && actions?.chooseCover?.(only))}
      >
        <Star aria-hidden className="size-5" />
      </Tool>
      <Tool
        label={t("select.move")}
        isVisible={chosen.length > 0 && actions?.move !== undefined}
        onClick={() => actions?.move?.(chosen)}
      >
        <FolderInput aria-hidden className="size-5" />
      </Tool>
      {own && actions && chosen.some(isEditable) && (
        <Suspense fallback={<span className="w-22" />}>
          <TurnTools onTurn={(degrees) => actions.turn(chosen, degrees)} />
        </Suspense>
      )}
      {actions?.changeSides && (
        <SidesMenu
          photos={chosen}
          onChange={(change) => {
            actions.changeSides?.(change);
            onEnd();
          }}
        />
      )}
      <Tool
        label={t("downloads:download")}
        isVisible={chosen.length > 0 && onDownload !== undefined}
        onClick={() => onDownload?.(chosen)}
      >
        <Download aria-hidden className="size-5" />
      </Tool>
      <Tool label={shareLabel} isVisible={chosen.length > 0 && onShare !== undefined} onClick={() => onShare?.(chosen)}>
        <Share2 aria-hidden className="size-5" />
      </Tool>
      <Tool label={t("select.delete")} isVisible={own} onClick={thenEnd(() => actions?.remove(chosen))}>
        <Trash2 aria-hidden className="size-5" />
      </Tool>
    </div>
  );
}

interface ToolProps {
  label: string;
  isVisible: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, isVisible, onClick, children }: ToolProps) {
  return (
    isVisible && (
      <IconButton label={label} onClick={onClick}>
        {children}
      </IconButton>
    )
  );
}
