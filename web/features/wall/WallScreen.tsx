import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OpenedWall } from "../../../shared/wall.ts";
import { usePageTitle } from "../../lib/browser/page-title.ts";
import { useScreen } from "../../lib/browser/use-screen.ts";
import { shareClient } from "../../lib/request/share-client.ts";
import { LazySky } from "../../media/LazySky.tsx";
import { useWallData } from "./use-wall-data.ts";
import { useWallSession } from "./use-wall-session.ts";
import { WallPlayer } from "./WallPlayer.tsx";

/** After this time without a connection a screen stops showing what may have been withdrawn since. */
const TRUSTED_MS = 5 * 60_000;

/** Shows a wall, or why it shows nothing now. */
export function WallScreen({ wallId }: { wallId: string }) {
  const { t } = useTranslation("wall");
  const { state, open, close, token } = useWallSession(wallId);
  usePageTitle(t("page"));
  useScreen();
  if (state.state === "opening") return <Dark />;
  if (state.state === "off") return <Message title={t("off.title")} text={t("off.text")} />;
  if (state.state === "unreachable") return <Message title={t("waiting.title")} text={t("waiting.text")} />;
  const { wall } = state;
  const onEnded = () => {
    close();
    // It may have got another version only, e.g. after it was turned off and on.
    void open().catch(() => {});
  };
  return <OpenWall key={`${wall.id} ${wall.version}`} wall={wall} token={token} renew={open} onEnded={onEnded} />;
}

interface OpenWallProps {
  wall: OpenedWall;
  token: () => string;
  renew: () => Promise<string>;
  onEnded: () => void;
}

function OpenWall({ wall, token, renew, onEnded }: OpenWallProps) {
  const { t } = useTranslation("wall");
  const [client] = useState(() => shareClient({ token, renew, onClosed: onEnded }));
  const { id, memoryId, version } = wall;
  const { data, lostAt } = useWallData({ client, id, memoryId, version, onEnded });
  const isStale = useSince(lostAt, TRUSTED_MS);
  const isDark = data?.settings.is_dark ?? true;
  useEffect(() => {
    const { theme } = document.documentElement.dataset;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    return () => {
      document.documentElement.dataset.theme = theme;
    };
  }, [isDark]);
  if (!data) return <Dark />;
  if (isStale) return <Message title={data.head.name} text={t("waiting.text")} />;
  return <WallPlayer client={client} data={data} isLost={lostAt !== undefined} />;
}

/** Returns whether this much time has passed since a time of the page's monotonic clock. */
function useSince(since: number | undefined, ms: number): boolean {
  const [passed, setPassed] = useState<number>();
  useEffect(() => {
    if (since === undefined) return;
    const timer = setTimeout(() => setPassed(since), Math.max(0, since + ms - performance.now()));
    return () => clearTimeout(timer);
  }, [since, ms]);
  return since !== undefined && passed === since;
}

const Dark = () => <div className="h-dvh bg-[#0a1120]" />;

function Message({ title, text }: { title: string; text: ReactNode }) {
  return (
    <main className="relative isolate grid h-dvh place-content-center overflow-hidden p-8 text-center">
      <div className="absolute inset-0 -z-10">
        <LazySky className="size-full" />
      </div>
      <div role="status" className="grid max-w-2xl gap-4 rounded-3xl bg-raised px-10 py-8 text-ink shadow-lifted">
        <h1 dir="auto" className="font-serif text-4xl leading-tight text-balance">
          {title}
        </h1>
        <p className="text-xl text-ink-soft">{text}</p>
      </div>
    </main>
  );
}
