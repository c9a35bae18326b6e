import { useMemo, useState } from "react";
import type { Hearts } from "../../../actions/hearts.ts";
import type { Photo } from "../../../data/photo.ts";
import { useSession } from "../../../lib/session/session.ts";
import { filterPhotos, type PhotoFilter, usefulFilters, yearsOf } from "./photo-filter.ts";

/** The filter that the reader chose for the gallery. It is reset when the page is left. */
export function usePhotoFilter(
  photos: readonly Photo[],
  { counts, mine }: Hearts,
  questions: ReadonlyMap<string, unknown>,
) {
  const [filter, setFilter] = useState<PhotoFilter>("all");
  const session = useSession();
  const userId = session.state === "signed in" ? session.user.id : undefined;
  const context = useMemo(() => ({ counts, mine, questions, userId }), [counts, mine, questions, userId]);
  const visiblePhotos = useMemo(() => filterPhotos(photos, filter, context), [photos, filter, context]);
  const filters = useMemo(() => {
    const useful = usefulFilters(photos, context);
    // The chosen filter stays among them, also when it shows nothing any more.
    return filter === "all" || useful.includes(filter) ? useful : ["all" as const, ...useful.slice(1), filter];
  }, [photos, context, filter]);
  const years = useMemo(() => yearsOf(visiblePhotos), [visiblePhotos]);
  return { visiblePhotos, filter, filters, years, onFilter: setFilter };
}

export type PhotoFiltering = Pick<ReturnType<typeof usePhotoFilter>, "filter">;
