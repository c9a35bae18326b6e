import { useCallback, useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { Photo } from "../../../data/media.queries.ts";
import type { Pictured, PicturedPerson } from "../../../data/pictured.ts";
import { usePhotoRoute } from "../../../media/use-photo-route.ts";
import { PEOPLE_PARAMETER, peopleSearch } from "../../../paths.ts";

/** The people whose photos the gallery shows. The URL names them, so that a link or a search leads to a person. */
export function usePeopleFilter(photos: readonly Photo[], { byId }: Pictured) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { openId } = usePhotoRoute();
  const inUrl = search.get(PEOPLE_PARAMETER) ?? "";
  const [ids, setIds] = useState(inUrl);
  // The URL of an open photo names only the photo; the choice stays behind it.
  if (openId === null && ids !== inUrl) setIds(inUrl);
  const people = useMemo(() => [...new Set(ids.split(" ").flatMap((id) => byId.get(id) ?? []))], [ids, byId]);
  const ofPeople = useMemo(
    () => (people.length === 0 ? photos : photos.filter(({ id }) => people.every(({ mediaIds }) => mediaIds.has(id)))),
    [photos, people],
  );
  const setPeople = useCallback(
    (chosen: readonly PicturedPerson[]) =>
      void navigate({ search: peopleSearch(chosen.map(({ id }) => id)) }, { replace: true, preventScrollReset: true }),
    [navigate],
  );
  /** Leads from an open photo to the photos of a person; going back leads to the photo. */
  const showPerson = useCallback(
    ({ id }: PicturedPerson) => void navigate({ search: peopleSearch([id]), hash: "#photos" }),
    [navigate],
  );
  return { people, ofPeople, setPeople, showPerson };
}
