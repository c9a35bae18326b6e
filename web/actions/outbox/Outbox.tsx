import { CloudOff } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Sender } from "../../data/outbox/outbox.ts";
import { pageOutbox } from "../../data/outbox/page-outbox.ts";
import { useUnsent } from "../../data/outbox/use-outbox.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import type { CopyMessage } from "../../lib/offline/copy-message.ts";
import { useAboveRoom } from "../../ui/room-below.ts";

// Shown by the page's `Toaster`.
const ToastArea = lazyPart(async () => ({ default: (await import("../../ui/ToastArea.tsx")).ToastArea }), "nothing");

const UnsentDialog = lazyPart(() => import("./UnsentDialog.tsx"), "over the page");

interface OutboxProps {
  owner: string;
  sender: Sender;
}

/** Sends what this owner has written, and renders a button that lists what waits or was refused. */
export default function Outbox({ owner, sender }: OutboxProps) {
  const { t } = useTranslation("outbox");
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => pageOutbox().open(owner, sender), [owner, sender]);
  const unsent = useUnsent(owner).filter(({ state }) => state !== "sending");
  const style = useAboveRoom();
  const isWaiting = unsent.length > 0;
  const isMember = owner.startsWith("person-");
  useEffect(() => {
    void keepParts(isMember).catch(() => {});
  }, [isMember]);
  return (
    <>
      {isWaiting && (
        <aside
          data-foot
          className="fixed start-3 bottom-[calc(0.75rem+var(--below))] z-40 sm:start-5 sm:bottom-[calc(1.25rem+var(--below))] print:hidden"
          style={style}
        >
          <button
            type="button"
            onClick={() => setIsOpen(true)}
            className="flex min-h-12 max-w-[calc(100vw-(--spacing(24)))] cursor-pointer items-center gap-2.5 rounded-full border border-line bg-raised px-4 text-sm font-semibold text-ink shadow-lifted hover:border-deep hover:text-deep"
          >
            <CloudOff aria-hidden className="size-5 shrink-0 text-deep" />
            {t("open", { count: unsent.length })}
          </button>
        </aside>
      )}
      {isOpen && (
        <Suspense>
          <UnsentDialog unsent={unsent} isMember={isMember} onClosed={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Loads what the outbox needs without a network, and has the service worker keep it. First visits of readers need none of it. */
async function keepParts(isMember: boolean) {
  await Promise.all([UnsentDialog.load(), ToastArea.load()]);
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
  const message: CopyMessage = {
    kind: isMember ? "member" : "link",
    cacheName: "",
    pictures: [],
    files: loaded.filter((path) => path.startsWith("/assets/")),
  };
  // Without offline copies there is no service worker.
  (await navigator.serviceWorker?.ready)?.active?.postMessage(message);
}
