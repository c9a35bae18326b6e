import { AudioLines, Play } from "lucide-react";
import type { Photo } from "../data/media.queries.ts";
import { writtenDuration } from "../lib/formatting/duration.ts";
import { Wave } from "./Wave.tsx";

/** The number of lines that a wave's width has room for. */
const LINES = { choice: 14, tile: 28, story: 44 };

interface SoundFaceProps {
  photo: Pick<Photo, "peaks" | "duration">;
  /** Its caption or file name; undefined if that is beside it. */
  name?: string | null;
  /** Where it is: a choice has no room for the duration, and a press on a story's plays it. */
  place?: keyof typeof LINES;
}

/** Renders a recording's tile: its wave, its name and its duration. Printers leave out the background. */
export function SoundFace({ photo, name, place = "tile" }: SoundFaceProps) {
  return (
    <span
      aria-hidden
      className="absolute inset-0 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] gap-2 bg-linear-to-br from-[#12324a] to-[#1d5a63] p-3 text-start font-sans text-white print:text-ink"
    >
      <span className="flex min-h-0 items-center gap-3">
        {place === "tile" && <AudioLines className="size-6 shrink-0 text-[#7fd6cb]" />}
        {place === "story" && (
          <span className="grid size-12 shrink-0 place-content-center rounded-full bg-black/55 print:hidden">
            <Play className="size-6 translate-x-0.5 fill-current" />
          </span>
        )}
        <Wave
          peaks={photo.peaks}
          lines={LINES[place]}
          className="h-full max-h-20 min-w-0 grow text-[#bfeae4] print:text-ink-soft"
        />
      </span>
      <span className="flex items-end justify-between gap-2">
        <span dir="auto" className="line-clamp-2 text-sm leading-tight wrap-anywhere">
          {name}
        </span>
        {photo.duration !== null && place !== "choice" && (
          <span className="shrink-0 text-sm leading-tight tabular-nums">{writtenDuration(photo.duration)}</span>
        )}
      </span>
    </span>
  );
}
