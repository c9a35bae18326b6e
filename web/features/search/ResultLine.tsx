import { BookOpen, CalendarDays, Folder, type LucideIcon, MessageCircle, Sparkles, User } from "lucide-react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, type To } from "react-router";
import { writtenDate } from "../../../shared/written-date.ts";
import { Thumbnail } from "../../media/Thumbnail.tsx";
import { Marked } from "./Marked.tsx";
import type { ResultKind, SearchResult } from "./search.queries.ts";

const ICONS: Partial<Record<ResultKind, LucideIcon>> = {
  memory: Sparkles,
  album: Folder,
  moment: CalendarDays,
  story: BookOpen,
  comment: MessageCircle,
  person: User,
};

interface ResultLineProps {
  result: SearchResult;
  find: string;
  to: To;
  /** The URL of its thumbnail. */
  url: string | undefined;
  /** Whether to name its memory. */
  named: boolean;
  onOpen?: (event: MouseEvent) => void;
}

/** Renders a result as a link to its place, with its words marked. */
export function ResultLine({ result, find, to, url, named, onOpen }: ResultLineProps) {
  const { t, i18n } = useTranslation("search");
  const { kind, picture, title, words: excerpt, place, on_date, memory_name } = result;
  const Icon = ICONS[kind];
  const untitled = kind === "photo" ? UNTITLED_MEDIA[picture?.type ?? "image"] : kind;
  const context = [
    named && kind !== "memory" && memory_name,
    on_date && writtenDate(on_date, i18n.language, { short: true }),
  ].filter((part) => typeof part === "string" && part !== "");
  const heading = title || (untitled in UNTITLED && t(`untitled.${untitled as keyof typeof UNTITLED}`));
  return (
    <Link
      to={to}
      {...(onOpen && { onClick: onOpen })}
      className="flex min-h-14 items-start gap-4 rounded-2xl p-3 text-ink no-underline hover:bg-wash"
    >
      {picture ? (
        <Thumbnail media={picture} url={url} className="size-14" />
      ) : (
        <span aria-hidden className="grid size-14 shrink-0 place-content-center rounded-xl bg-wash text-deep">
          {Icon && <Icon className="size-6" />}
        </span>
      )}
      <span className="grid min-w-0 grow gap-0.5 wrap-anywhere">
        {(title || !excerpt) && (
          <span dir="auto" className="font-semibold">
            {title ? <Marked text={title} find={find} /> : heading}
          </span>
        )}
        {excerpt && (
          <span dir="auto" className="line-clamp-3 text-base">
            <Marked text={excerpt} find={find} />
          </span>
        )}
        {place && (
          <span dir="auto" className="text-base">
            <Marked text={place} find={find} />
          </span>
        )}
        {context.length > 0 && (
          <span dir="auto" className="text-base text-ink-soft">
            {context.join(" · ")}
          </span>
        )}
      </span>
    </Link>
  );
}

const UNTITLED_MEDIA = { image: "photo", video: "video", audio: "recording" } as const;
const UNTITLED = { photo: 1, video: 1, recording: 1, story: 1, comment: 1 };
