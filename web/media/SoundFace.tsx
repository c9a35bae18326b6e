import { AudioLines } from "lucide-react";
import type { Photo } from "../data/media.queries.ts";
import { writtenDuration } from "../lib/formatting/duration.ts";
import { Wave } from "./Wave.tsx";

/** Renders a recording's tile: its wave, its name unless that is beside it, and its duration. */
export function SoundFace({ photo, name }: { photo: Pick<Photo, "peaks" | "duration">; name?: string | null }) {
  return (
    <span
      aria-hidden
      className="absolute inset-0 grid grid-rows-[minmax(0,1fr)_auto] gap-2 bg-linear-to-br from-[#12324a] to-[#1d5a63] p-3 text-white"
    >
      <span className="flex min-h-0 items-center gap-3">
        <AudioLines className="size-6 shrink-0 text-[#7fd6cb]" />
        <Wave peaks={photo.peaks} lines={28} className="h-full max-h-20 min-w-0 grow text-[#bfeae4]" />
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
