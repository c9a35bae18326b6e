import {
  BookImage,
  Film,
  Image as ImageIcon,
  type LucideIcon,
  MessageCircle,
  NotebookText,
  Sparkles,
} from "lucide-react";
import type { DeletedItem } from "./trash.queries.ts";

const ICONS: Record<DeletedItem["kind"], LucideIcon> = {
  media: ImageIcon,
  story: NotebookText,
  comment: MessageCircle,
  album: BookImage,
  memory: Sparkles,
};

/** What a deleted item looked like, as far as its row tells: nobody can fetch its bytes. */
export function DeletedTile({ kind, media }: DeletedItem) {
  const Icon = media?.type === "video" ? Film : ICONS[kind];
  return (
    <span
      className="grid size-16 shrink-0 place-content-center rounded-xl bg-line bg-cover bg-center text-ink-soft"
      style={{
        backgroundColor: media?.colour ?? undefined,
        backgroundImage: media?.placeholder ? `url("${media.placeholder}")` : undefined,
      }}
    >
      {(!media?.placeholder || media.type === "video") && (
        <span className="grid size-9 place-content-center rounded-full bg-raised text-ink-soft">
          <Icon aria-hidden className="size-5" />
        </span>
      )}
    </span>
  );
}
