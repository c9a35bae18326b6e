import { useCallback, useMemo, useRef, useState } from "react";

/** Files that a visitor has chosen to add, until they are uploaded. */
export interface ChosenFiles {
  count: number;
  add: (files: File[]) => void;
  /** Returns the files and forgets them. */
  take: () => File[];
}

/** Holds the files that a visitor chose, because photos are chosen first and the name is entered afterwards. */
export function useChosenFiles(): ChosenFiles {
  const files = useRef<File[]>([]);
  const [count, setCount] = useState(0);
  const add = useCallback((newFiles: File[]) => {
    files.current = [...files.current, ...newFiles];
    setCount(files.current.length);
  }, []);
  const take = useCallback(() => {
    const taken = files.current;
    files.current = [];
    setCount(0);
    return taken;
  }, []);
  return useMemo(() => ({ count, add, take }), [count, add, take]);
}
