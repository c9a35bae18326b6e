import { Play } from "lucide-react";
import { writtenDuration } from "../../../lib/formatting/duration.ts";

/** What tells a video's tile from a photo's: a sign to play it, and how long it is in seconds, where that is known. */
export function VideoMark({ duration }: { duration: number | null }) {
  return (
    <span aria-hidden className="pointer-events-none absolute inset-0">
      <span className="absolute inset-0 m-auto grid size-12 place-content-center rounded-full bg-black/55 text-white">
        <Play className="size-6 translate-x-0.5 fill-current" />
      </span>
      {duration !== null && (
        <span className="absolute right-1.5 bottom-1.5 rounded-md bg-black/65 px-1.5 py-0.5 text-sm leading-tight text-white tabular-nums">
          {writtenDuration(duration)}
        </span>
      )}
    </span>
  );
}
