import { useCallback } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";

const PARAMETER = "photo";

/** The search part of the address at which a photo is open. */
export const photoSearch = (id: string) => `?${new URLSearchParams({ [PARAMETER]: id })}`;

/** Says in the history that the gallery itself opened the photo, so that closing is going back. */
export const FROM_GALLERY = { fromGallery: true };

/** Opens a photo from the gallery with the place for its words. */
export const DESCRIBING = { ...FROM_GALLERY, describing: true };

/**
 * Which photo is open, as the address says, and the ways to move; the back button closes the photo. `commenting` is true where
 * the address leads to a comment on it.
 */
export function usePhotoRoute() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { state, hash } = useLocation();
  const came = state as Partial<typeof DESCRIBING> | null;
  const fromGallery = came?.fromGallery === true;

  const show = useCallback(
    (id: string) => navigate({ search: photoSearch(id) }, { replace: true, state, preventScrollReset: true }),
    [navigate, state],
  );
  const close = useCallback(() => {
    if (fromGallery) navigate(-1);
    else navigate({ search: "" }, { replace: true, preventScrollReset: true });
  }, [navigate, fromGallery]);
  return { openId: search.get(PARAMETER), describing: came?.describing === true, commenting: hash !== "", show, close };
}
