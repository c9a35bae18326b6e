import { AudioLines, Film } from "lucide-react";
import type { Row } from "../../shared/database.ts";
import { classNames } from "../ui/class-names.ts";

interface ThumbnailProps {
  media: Pick<Row<"media">, "type" | "placeholder">;
  /** The URL of its small picture (`useThumbnails`); undefined while loading and without one. */
  url: string | undefined;
  /** Its size. */
  className: string;
}

/** Renders the small square picture of a photo, video or recording, over its placeholder. What it shows is said beside it. */
export const Thumbnail = ({ media: { type, placeholder }, url, className }: ThumbnailProps) => (
  <span
    aria-hidden
    className={classNames(
      "relative grid shrink-0 place-content-center overflow-hidden rounded-xl bg-line bg-cover bg-center text-ink-soft",
      className,
    )}
    style={{ backgroundImage: placeholder ? `url("${placeholder}")` : undefined }}
  >
    {type === "video" && <Film className="size-6" />}
    {type === "audio" && <AudioLines className="size-6" />}
    {url && (
      <img src={url} alt="" loading="lazy" decoding="async" className="absolute inset-0 size-full object-cover" />
    )}
  </span>
);
