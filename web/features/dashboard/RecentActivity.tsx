import type { TFunction } from "i18next";
import { BookOpen, Images, type LucideIcon, Sunrise, UserPlus } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useAvatars } from "../../data/avatars.queries.ts";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { timeAgo } from "../../lib/formatting/time-ago.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Thumbnail } from "../../media/Thumbnail.tsx";
import { useThumbnails } from "../../media/use-thumbnails.ts";
import { paths } from "../../paths.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Problem } from "../../ui/Problem.tsx";
import type { Activity } from "./activity.queries.ts";
import { type AddedPhoto, authorsOf, kindOf } from "./activity.ts";
import type { Dashboard } from "./use-dashboard.ts";

const icons: Record<Activity["kind"], LucideIcon> = {
  added: Images,
  told: BookOpen,
  joined: UserPlus,
  began: Sunrise,
};

/** The pictures of one event. */
const MOST_PICTURES = 4;

const NONE: readonly Activity[] = [];

/** What people did in the person's memories, with the photos that they added. */
export function RecentActivity({ activity, className }: Pick<Dashboard, "activity"> & { className?: string }) {
  const { t } = useTranslation("dashboard");
  const entries = activity.data ?? NONE;
  const pictured = useMemo(() => entries.flatMap(({ photos }) => photos.slice(0, MOST_PICTURES)), [entries]);
  const thumbnail = useThumbnails("activity", pictured);
  const people = useMemo(() => entries.map(({ photos }) => authorsOf(photos)?.userId ?? null), [entries]);
  const faces = useAvatars(supabase, "activity", people);
  return (
    <Panel title={t("activity.title")} className={className}>
      {activity.isLoadingError && <Problem error={new Error(t("activity.failed"))} retry={activity.refetch} />}
      {activity.data?.length === 0 && <p className="text-ink-soft">{t("activity.empty")}</p>}
      {entries.length > 0 && (
        <ul className="m-0 grid list-none grid-cols-[minmax(0,1fr)] gap-5 p-0">
          {entries.map((entry) => (
            <Entry
              key={`${entry.kind} ${entry.memory_id} ${entry.at}`}
              entry={entry}
              faces={faces}
              thumbnail={thumbnail}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface EntryProps {
  entry: Activity;
  /** The URLs of people's pictures by id. */
  faces: Record<string, string>;
  /** Returns the URL of a photo's small picture; undefined while loading. */
  thumbnail: (photo: AddedPhoto) => string | undefined;
}

function Entry({ entry, faces, thumbnail }: EntryProps) {
  const { t, i18n } = useTranslation("dashboard");
  const now = useMinute();
  const Icon = icons[entry.kind];
  const author = entry.mine ? undefined : authorsOf(entry.photos);
  const name = author?.name ?? (entry.mine ? undefined : entry.author);
  const memory = entry.memory_name || t("byMemory.unnamed");
  return (
    <li className="flex gap-4">
      {name ? (
        <Avatar name={name} picture={author?.userId ? faces[author.userId] : undefined} className="size-11" />
      ) : (
        <span aria-hidden className="grid size-11 shrink-0 place-content-center rounded-full bg-wash text-deep">
          <Icon className="size-5" />
        </span>
      )}
      <div className="grid min-w-0 grow gap-2">
        <div>
          <p className="leading-snug wrap-anywhere">
            {said(entry, t)} <Link to={paths.memory(entry.memory_id)}>{memory}</Link>
          </p>
          <p className="text-sm text-ink-soft">
            <time dateTime={entry.at}>{timeAgo(new Date(entry.at), now, localeOf(i18n.language))}</time>
          </p>
        </div>
        {entry.photos.length > 0 && (
          <ul className="m-0 flex list-none flex-wrap gap-2 p-0">
            {entry.photos.slice(0, MOST_PICTURES).map((photo, place) => (
              <li key={photo.id}>
                <Link
                  to={paths.photo(entry.memory_id, photo.id)}
                  aria-label={t("activity.open", { place: place + 1, memory })}
                  className="block rounded-xl"
                >
                  <Thumbnail media={photo} url={thumbnail(photo)} className="size-14 sm:size-16" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

/** An event as the beginning of a sentence, which ends with the name of its memory. */
function said({ kind, mine, author, items, photos }: Activity, t: TFunction<"dashboard">): string {
  switch (kind) {
    case "added": {
      const what = t(`activity.what.${kindOf(photos, items)}`, { count: items });
      if (mine) return t("activity.mineAdded", { what });
      const authors = authorsOf(photos);
      if (!authors) return t("activity.added", { what });
      return t(authors.others ? "activity.addedByMany" : "activity.addedBy", { author: authors.name, what });
    }
    case "told":
      if (mine) return t("activity.mineTold");
      return author ? t("activity.told", { author }) : t("activity.toldBySomebody");
    case "joined":
      return author ? t("activity.joinedBy", { author }) : t("activity.joined");
    case "began":
      return t("activity.began");
  }
}
