import { AudioLines, Play } from "lucide-react";
import type { Photo } from "../data/media.queries.ts";
import { writtenDuration } from "../lib/formatting/duration.ts";
import { classNames } from "../ui/class-names.ts";
import { Wave } from "./Wave.tsx";

interface SoundFaceProps {
  photo: Pick<Photo, "peaks" | "duration">;
  /** Its caption or file name; undefined if that is beside it. */
  name?: string | null;
  /** Whether it is as wide as a story. */
  wide?: boolean;
}

/** Renders a recording's tile: its wave, its name and its duration. Printers leave out the background. */
export function SoundFace({ photo, name, wide = false }: SoundFaceProps) {
  return (
    <span
      aria-hidden
      className="absolute inset-0 grid grid-rows-[minmax(0,1fr)_auto] gap-2 bg-linear-to-br from-[#12324a] to-[#1d5a63] p-3 font-sans text-white print:text-ink"
    >
      <span className={classNames("flex min-h-0 items-center", wide ? "gap-4" : "gap-3")}>
        {wide ? (
          <span className="grid size-12 shrink-0 place-content-center rounded-full bg-black/55 print:hidden">
            <Play className="size-6 translate-x-0.5 fill-current" />
          </span>
        ) : (
          <AudioLines className="size-6 shrink-0 text-[#7fd6cb]" />
        )}
        <Wave
          peaks={photo.peaks}
          lines={wide ? 44 : 28}
          className="h-full max-h-20 min-w-0 grow text-[#bfeae4] print:text-ink-soft"
        />
      </span>
      <span className="flex items-end justify-between gap-2">
        <span dir="auto" className="line-clamp-2 text-sm leading-tight wrap-anywhere">
          {name}
        </span>
        {photo.duration !== null && (
          <span className="shrink-0 text-sm leading-tight tabular-nums">{writtenDuration(photo.duration)}</span>
        )}
      </span>
    </span>
  );
}
