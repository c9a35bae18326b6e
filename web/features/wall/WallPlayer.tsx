import { useEffect, useMemo, useState } from "react";
import { useLatest } from "../../lib/browser/use-latest.ts";
import { toggleFullScreen, useAttended } from "../../lib/browser/use-screen.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { classNames } from "../../ui/class-names.ts";
import { type ScreenControl, useSequence } from "./use-sequence.ts";
import type { WallData } from "./use-wall-data.ts";
import { useWallUrls } from "./use-wall-urls.ts";
import { WallBar } from "./WallBar.tsx";
import { WallButtons } from "./WallButtons.tsx";
import { WallEmpty } from "./WallEmpty.tsx";
import { Mosaic, OneItem } from "./WallStage.tsx";

interface WallPlayerProps {
  client: SupabaseClient;
  data: WallData;
  /** Whether changes are not received now. */
  isLost: boolean;
}

const FOLLOWING: ScreenControl = { offset: 0, heldAt: undefined };

/** A wall with its pictures and comments, filling the window. Its keys and buttons change this screen only. */
export function WallPlayer({ client, data: { settings, contents, head, clock }, isLost }: WallPlayerProps) {
  const [control, setControl] = useState(FOLLOWING);
  const { tick, currentIds, next } = useSequence(contents, settings, clock, control);
  const attended = useAttended();
  const isHeld = control.heldAt !== undefined;
  const move = (by: number) =>
    setControl(({ offset, heldAt }) => ({
      offset: offset + by,
      heldAt: heldAt === undefined ? undefined : heldAt + by,
    }));
  // A screen that was held goes on from where it stands.
  const hold = () =>
    setControl(({ offset, heldAt }) =>
      heldAt === undefined
        ? { offset, heldAt: tick }
        : { offset: offset + heldAt - wallTickOf(tick, control), heldAt: undefined },
    );
  useWallKeys({ move, hold, follow: () => setControl(FOLLOWING) });

  const pictures = useMemo(() => new Map(contents.pictures.map((picture) => [picture.id, picture])), [contents]);
  const commentsById = useMemo(() => new Map(contents.comments.map((one) => [one.id, one])), [contents]);
  const needed = [...currentIds, ...next].join();
  const soon = useMemo(() => needed.split(",").flatMap((id) => pictures.get(id) ?? []), [needed, pictures]);
  const urls = useWallUrls(client, soon);
  const itemOf = (id: string) => ({ picture: pictures.get(id), comment: commentsById.get(id), urls: urls.get(id) });
  const isEmpty = contents.pictures.length + contents.comments.length === 0;

  return (
    <main
      className={classNames(
        "relative grid h-dvh grid-cols-1 grid-rows-[minmax(0,1fr)_auto] overflow-hidden bg-paper text-ink",
        !attended && "cursor-none",
      )}
    >
      {isEmpty ? (
        <WallEmpty head={head} settings={settings} />
      ) : settings.layout === "mosaic" ? (
        <Mosaic ids={currentIds} find={itemOf} sound={settings.plays_sound} />
      ) : (
        <OneItem id={currentIds[0]} ahead={next.map(itemOf)} find={itemOf} sound={settings.plays_sound} />
      )}
      <WallBar head={head} candles={contents.candles} isEmpty={isEmpty} isLost={isLost} />
      <WallButtons visible={attended} isHeld={isHeld} onHold={hold} onMove={move} onFullScreen={toggleFullScreen} />
    </main>
  );
}

/** The wall's own tick, from the tick of this screen, which may be ahead of it. */
const wallTickOf = (tick: number, { offset, heldAt }: ScreenControl) => (heldAt === undefined ? tick - offset : tick);

interface WallKeys {
  move: (by: number) => void;
  hold: () => void;
  follow: () => void;
}

/** Space pauses, arrows move, F fills the screen, Escape follows the other screens again. */
function useWallKeys(keys: WallKeys) {
  const latest = useLatest(keys);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { move, hold, follow } = latest.current;
      const onButton = event.target instanceof Element && event.target.closest("button, a") !== null;
      if (event.key === " " && !onButton) hold();
      else if (event.key === "ArrowRight" || event.key === "ArrowDown") move(1);
      else if (event.key === "ArrowLeft" || event.key === "ArrowUp") move(-1);
      else if (event.key === "f" || event.key === "F") toggleFullScreen();
      else if (event.key === "Escape") return follow();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
