import { useCallback } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";

const PARAMETER = "photo";
const SIDE = { side: "back" };

/** The query of the URL of an open photo; `turned` to its back. */
export const photoSearch = (id: string, turned = false) =>
  `?${new URLSearchParams({ [PARAMETER]: id, ...(turned && SIDE) })}`;

/** History state: the gallery opened the photo, so closing it navigates back. */
export const FROM_GALLERY = { fromGallery: true };

/** History state: opened from the gallery to edit the caption. */
export const DESCRIBING = { ...FROM_GALLERY, describing: true };

/**
 * The photo that the URL opens, and the navigation between photos; the back button closes it. `commenting` is true if
 * the URL leads to a comment on it, and `turned` if it shows the back of a print.
 */
export function usePhotoRoute() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { state, hash } = useLocation();
  const came = state as Partial<typeof DESCRIBING> | null;
  const fromGallery = came?.fromGallery === true;

  const show = useCallback(
    (id: string, turned = false) =>
      navigate({ search: photoSearch(id, turned) }, { replace: true, state, preventScrollReset: true }),
    [navigate, state],
  );
  const close = useCallback(() => {
    if (fromGallery) navigate(-1);
    else navigate({ search: "" }, { replace: true, preventScrollReset: true });
  }, [navigate, fromGallery]);
  return {
    openId: search.get(PARAMETER),
    turned: search.get("side") === SIDE.side,
    describing: came?.describing === true,
    commenting: hash !== "",
    show,
    close,
  };
}
