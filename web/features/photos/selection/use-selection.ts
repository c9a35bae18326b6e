import { useCallback, useMemo, useRef, useState } from "react";
import { keyOf } from "../../../data/photo.ts";

/** Ids of the selected photos, and functions that change the selection. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** Selects or deselects a photo. With `range`, selects all photos from the previously toggled one to this one. */
  toggle: (id: string, range?: boolean) => void;
  set: (ids: Iterable<string>) => void;
  clear: () => void;
}

/** Returns the ids from one id to another, in either direction and both included; only `to` if `from` is missing. */
export function idsBetween(ids: readonly string[], from: string | undefined, to: string): string[] {
  const [start, end] = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)];
  if (start === -1 || end === -1) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** Returns the selection of these photos. A photo that disappears is deselected. */
export function useSelection(photos: readonly { id: string }[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string>(undefined);
  const ordered = useMemo(() => photos.map(({ id }) => id), [photos]);
  // A photo that was outlined when it was selected has its whole id once it is loaded.
  const ids = useMemo(
    () => new Set(ordered.filter((id) => chosen.has(id) || chosen.has(keyOf(id)))),
    [ordered, chosen],
  );

  const toggle = useCallback(
    (id: string, range = false) => {
      const reached = range ? idsBetween(ordered, anchor.current, id) : [id];
      anchor.current = id;
      setChosen((before) => {
        const after = new Set(before);
        if (!range && before.has(id)) after.delete(id);
        else for (const one of reached) after.add(one);
        return after;
      });
    },
    [ordered],
  );
  const set = useCallback((newIds: Iterable<string>) => setChosen(new Set(newIds)), []);
  const clear = useCallback(() => {
    anchor.current = undefined;
    setChosen(new Set());
  }, []);
  return useMemo(() => ({ ids, toggle, set, clear }), [ids, toggle, set, clear]);
}
