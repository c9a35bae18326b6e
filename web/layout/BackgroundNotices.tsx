import { CircleAlert, CloudUpload, Pause, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { Toaster, toast } from "sonner";
import Outbox from "../actions/outbox/Outbox.tsx";
import { personSender } from "../actions/outbox/person-sender.ts";
import { ownerOf } from "../data/outbox/waiting-write.ts";
import { useStore } from "../lib/browser/store.ts";
import { offline } from "../lib/offline/offline-state.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useUser } from "../lib/session/session.ts";
import { ownUploads } from "../media/uploads/queues.ts";
import { isBusy, type UploadView, useIsTrayVisible, useOverallProgress } from "../media/uploads/use-uploads.ts";
import { paths } from "../paths.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { useAboveRoom } from "../ui/room-below.ts";
import { finishedUploads, isRefused, newlyRefused } from "./finished-uploads.ts";

/** Renders the progress and the results of a signed-in person's uploads on pages other than the memory's page. */
export function BackgroundNotices() {
  const { t } = useTranslation(["layout", "media"]);
  const { pathname } = useLocation();
  const uploads = ownUploads().files;
  const { id: userId } = useUser();
  const isOffline = useStore(offline);
  useEffect(() => {
    if (!isOffline)
      void import("../media/offline/check-copies.ts")
        .then(({ checkOwnCopies }) => checkOwnCopies(supabase, userId))
        .catch(() => {});
  }, [isOffline, userId]);
  const last = useRef(uploads.get());
  const page = useRef(pathname);
  useEffect(
    () =>
      uploads.subscribe(() => {
        const now = uploads.get();
        for (const { memoryId, stored } of finishedUploads(last.current, now)) {
          if (pathname !== paths.newMemory() && pathname !== paths.memory(memoryId)) {
            notice(t("media:upload.done", { count: stored }));
          }
        }
        // On the memory's own page the tray says it, until the page is left.
        const elsewhere = newlyRefused(last.current, now).filter(
          ({ memoryId }) => pathname !== paths.newMemory() && pathname !== paths.memory(memoryId),
        );
        if (elsewhere.length > 0) {
          notice(t("media:upload.problems", { count: elsewhere.length }));
          ownUploads().remove(elsewhere.map(({ id }) => id));
        }
        last.current = now;
      }),
    [uploads, pathname, t],
  );
  useEffect(() => {
    if (page.current === pathname) return;
    page.current = pathname;
    const refused = uploads.get().filter(isRefused);
    if (refused.length > 0) ownUploads().remove(refused.map(({ id }) => id));
  }, [uploads, pathname]);
  return (
    <>
      <UploadIndicator />
      <Outbox owner={ownerOf(userId)} sender={personSender(userId)} />
      <Notices label={t("layout:notices")} />
    </>
  );
}

/**
 * Renders a link to the upload tray, while the tray is not visible and uploads are active or need an answer. It can be
 * closed, and returns with the next upload.
 */
function UploadIndicator() {
  const { pathname } = useLocation();
  const isTrayVisible = useIsTrayVisible();
  const all = useStore(ownUploads().files);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const open = all.filter(({ id, state }) => state !== "stored" && !closed.has(id));
  const [first] = [...open.filter(isBusy), ...open];
  // On the page of a new memory the tray is near, and the link would cover the publish button.
  if (!first || isTrayVisible || pathname === paths.newMemory()) return null;
  const close = () => {
    ownUploads().remove(all.filter(isRefused).map(({ id }) => id));
    setClosed(new Set(all.map(({ id }) => id)));
  };
  return <Indicator all={all} memoryId={first.memoryId} onClose={close} />;
}

interface IndicatorProps {
  all: readonly UploadView[];
  memoryId: string;
  onClose: () => void;
}

function Indicator({ all, memoryId, onClose }: IndicatorProps) {
  const { t } = useTranslation(["media", "common"]);
  const { overall, timeLeft } = useOverallProgress(ownUploads(), all);
  const { busy, paused, failed, stored, files, fraction } = overall;
  const asking = all.filter(({ state }) => state === "duplicate" || state === "needsFile").length;
  const text = busy
    ? t("upload.summary", { stored, files })
    : failed > 0
      ? t("upload.problems", { count: failed })
      : paused > 0
        ? t("upload.paused")
        : t("upload.asking", { count: asking });
  const Icon = busy ? CloudUpload : paused > 0 && failed === 0 ? Pause : CircleAlert;
  return (
    <aside
      aria-label={t("upload.title")}
      data-foot
      style={useAboveRoom()}
      className="fixed right-3 flex max-w-[calc(100vw-(--spacing(6)))] items-center rounded-2xl border border-line bg-raised text-ink shadow-lifted bottom-[calc(0.75rem+var(--below))] z-40 sm:right-5 sm:bottom-[calc(1.25rem+var(--below))]"
    >
      <Link
        to={`${paths.memory(memoryId)}#uploads`}
        className="grid min-h-14 min-w-56 grow content-center gap-1.5 rounded-2xl px-4 py-2 text-ink no-underline hover:text-deep"
      >
        <span className="flex items-center gap-3">
          <Icon aria-hidden className={failed > 0 && !busy ? "size-5 text-danger-text" : "size-5 text-deep"} />
          <span className="grid text-sm leading-tight tabular-nums">
            <span className="font-semibold">{text}</span>
            {busy && timeLeft && (
              <span className="text-ink-soft">{t(`upload.${timeLeft.unit}`, { count: timeLeft.count })}</span>
            )}
          </span>
        </span>
        {(busy || paused > 0) && (
          <span aria-hidden className="block h-1 overflow-hidden rounded-full bg-line">
            <span
              className="block h-full origin-left bg-deep transition-transform duration-300 ease-out"
              style={{ transform: `scaleX(${fraction})` }}
            />
          </span>
        )}
      </Link>
      {!busy && <IconButton icon={X} label={t("common:close")} onClick={onClose} className="me-1 shrink-0" />}
    </aside>
  );
}

/** Shows a background message, e.g. about a finished upload. */
const notice = (text: string) => toast(text);

/** Renders the region of background messages above any bar at the lower edge: at most three, for 4 s each (Spec §9). */
function Notices({ label }: { label: string }) {
  // Like the area of toasts, beside what an open dialog hides from screen readers.
  return createPortal(
    <Toaster
      expand
      visibleToasts={3}
      duration={4000}
      position="bottom-left"
      style={useAboveRoom()}
      offset={{ bottom: "calc(24px + var(--below))" }}
      mobileOffset={{ bottom: "calc(16px + var(--below))" }}
      containerAriaLabel={label}
      toastOptions={{
        unstyled: true,
        className:
          "w-full font-sans rounded-2xl border border-line bg-raised px-4 py-3 text-base text-ink shadow-lifted",
      }}
    />,
    document.body,
  );
}
