import { kindOf, type Photo } from "../../../data/photo.ts";

/** Which of a memory's photos, videos, recordings and papers the gallery shows. */
export const PHOTO_FILTERS = [
  "all",
  "photos",
  "videos",
  "recordings",
  "papers",
  "undated",
  "added",
  "mine",
  "loved",
  "who",
] as const;
export type PhotoFilter = (typeof PHOTO_FILTERS)[number];

/** What filters know besides the photos. */
interface FilterContext {
  /** The number of hearts by photo. */
  counts: ReadonlyMap<string, number>;
  /** The photos with the reader's own heart. */
  mine: ReadonlyMap<string, unknown>;
  /** The photos about which somebody asked who is in them. */
  questions: ReadonlyMap<string, unknown>;
  /** The signed-in reader. */
  userId: string | undefined;
}

type Test = (photo: Photo, context: FilterContext) => boolean;

const TESTS: Record<PhotoFilter, Test> = {
  all: () => true,
  photos: (photo) => kindOf(photo) === "image",
  videos: ({ type }) => type === "video",
  recordings: ({ type }) => type === "audio",
  papers: (photo) => kindOf(photo) === "paper",
  undated: ({ taken_at }) => taken_at === null,
  added: ({ user_id }, { userId }) => userId !== undefined && user_id === userId,
  mine: ({ id }, { mine }) => mine.has(id),
  loved: ({ id }, { counts }) => counts.has(id),
  who: ({ id }, { questions }) => questions.has(id),
};

/** The filters that need the rows of all photos, and whether they may show one of those that are not loaded. */
const BY_ROWS: Partial<Record<PhotoFilter, (context: FilterContext) => boolean>> = {
  added: ({ userId }) => userId !== undefined,
  mine: ({ mine }) => mine.size > 0,
  loved: ({ counts }) => counts.size > 0,
  who: ({ questions }) => questions.size > 0,
};

/** The photos that a filter shows, in their order; "loved" begins with the photo that has the most hearts. */
export function filterPhotos(photos: readonly Photo[], filter: PhotoFilter, context: FilterContext): Photo[] {
  const matches = photos.filter((photo) => TESTS[filter](photo, context));
  if (filter !== "loved") return matches;
  const hearts = ({ id }: Photo) => context.counts.get(id) ?? 0;
  return matches.toSorted((a, b) => hearts(b) - hearts(a));
}

/** The filters that show some photos and leave out others; "loved" also orders, and "who" says why, so they may show all. */
export function usefulFilters(photos: readonly Photo[], context: FilterContext): PhotoFilter[] {
  const unknown = photos.some(({ outlined }) => outlined);
  const useful = PHOTO_FILTERS.filter((filter) => {
    // Their rows are loaded for the filter.
    if (unknown && filter in BY_ROWS) return BY_ROWS[filter]?.(context);
    const count = photos.reduce((sum, photo) => sum + (TESTS[filter](photo, context) ? 1 : 0), 0);
    return filter !== "all" && count > 0 && (count < photos.length || filter === "loved" || filter === "who");
  });
  return useful.length > 0 ? ["all", ...useful] : [];
}

/** From this number of photos, the gallery leads to years. */
const MANY = 40;

/** The first photo of each year, in the order of the gallery; empty if the photos are few or of one year. */
export function yearsOf(photos: readonly Photo[]): { year: string; photo: Photo }[] {
  if (photos.length < MANY) return [];
  const years = new Map<string, Photo>();
  for (const photo of photos) {
    const year = photo.taken_at?.match(/^\d{4}/)?.[0];
    if (year !== undefined && !years.has(year)) years.set(year, photo);
  }
  return years.size > 1 ? [...years].map(([year, photo]) => ({ year, photo })) : [];
}
