import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, EyeOff, Pause, Play } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useDecide } from "../../actions/moderation.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import type { WallContents } from "../../data/wall.queries.ts";
import { renditionUrl } from "../../lib/request/rendition-url.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { useSequence } from "./use-sequence.ts";
import { useWallUrls } from "./use-wall-urls.ts";
import { type Wall, type WallChanges, wallContentsQuery } from "./walls.queries.ts";

interface WallRemoteProps extends Pick<MemoryContext, "client" | "memory"> {
  wall: Wall;
  onChange: (changes: WallChanges) => void;
}

const NOTHING: WallContents = { pictures: [], comments: [], candles: [] };

/** The remote control: what all screens show now, with buttons to move, pause and hide. */
export function WallRemote({ client, memory, wall, onChange }: WallRemoteProps) {
  const { t } = useTranslation("wallControl");
  const contents = useQuery(wallContentsQuery(client, wall)).data ?? NOTHING;
  const { currentIds } = useSequence(contents, wall, wall.clock);
  const decide = useDecide(client, memory.id);
  const key = currentIds.join();
  const pictures = useMemo(
    () => key.split(",").flatMap((id) => contents.pictures.find((picture) => picture.id === id) ?? []),
    [key, contents],
  );
  const urls = useWallUrls(client, pictures);
  const move = (by: number) => onChange({ step: wall.step + by });
  const items = currentIds.flatMap((id) => {
    const picture = pictures.find((one) => one.id === id);
    const comment = contents.comments.find((one) => one.id === id);
    if (!picture && !comment) return [];
    const name = picture?.credit?.name ?? comment?.credit?.name ?? "";
    return [
      {
        id,
        kind: picture ? ("media" as const) : ("comment" as const),
        text: comment?.body ?? picture?.caption ?? "",
        name,
      },
    ];
  });
  return (
    <section aria-label={t("remote.title")} className="grid gap-3 rounded-2xl bg-sunken p-4">
      <h3 className="font-semibold">{t("remote.title")}</h3>
      {items.length === 0 && <p className="text-ink-soft">{t("remote.empty")}</p>}
      <ul className={items.length > 1 ? "grid grid-cols-2 gap-3" : "grid"}>
        {items.map(({ id, kind, text, name }) => {
          const url = urls.get(id)?.picture;
          return (
            <li key={id} data-on-wall={id} className="grid grid-cols-1 content-between gap-2 rounded-xl bg-raised p-2">
              {kind === "media" ? (
                <span className="relative block aspect-[3/2] overflow-hidden rounded-lg bg-line">
                  {url && (
                    <img
                      src={renditionUrl(url, items.length > 1 ? 320 : 640)}
                      alt={text}
                      className="absolute inset-0 size-full object-contain"
                    />
                  )}
                </span>
              ) : (
                <span dir="auto" className="line-clamp-4 p-2 font-serif text-lg [overflow-wrap:anywhere]">
                  {text}
                </span>
              )}
              <span className="flex items-center justify-between gap-2">
                <span dir="auto" className="min-w-0 truncate text-sm text-ink-soft">
                  {name}
                </span>
                <Button
                  size="small"
                  variant="quiet"
                  icon={EyeOff}
                  onClick={() => void decide([{ kind, id, was: "shown" }], "hidden")}
                >
                  {t("remote.hide")}
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
      <div className="flex items-center justify-center gap-3">
        <IconButton icon={ChevronLeft} label={t("remote.previous")} onClick={() => move(-1)} />
        <Button
          variant="quiet"
          icon={wall.is_paused ? Play : Pause}
          onClick={() => onChange({ is_paused: !wall.is_paused })}
        >
          {t(wall.is_paused ? "remote.play" : "remote.pause")}
        </Button>
        <IconButton icon={ChevronRight} label={t("remote.next")} onClick={() => move(1)} />
      </div>
    </section>
  );
}
