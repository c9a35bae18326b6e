import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";

const AFTER_MS = 250;

/**
 * A search by name: `text` follows the input, `find` is debounced. With `inAddress` the URL contains it as `parameter`, so that
 * returning from a result shows the same list.
 */
export function useFind(inAddress = true, parameter = "find") {
  const [search, setSearch] = useSearchParams();
  const initial = inAddress ? (search.get(parameter) ?? "") : "";
  const [text, setText] = useState(initial);
  const [find, setFind] = useState(initial);
  useEffect(() => {
    if (text.trim() === find.trim()) return;
    const timer = setTimeout(() => {
      setFind(text.trim());
      if (!inAddress) return;
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          if (text.trim()) after.set(parameter, text.trim());
          else after.delete(parameter);
          return after;
        },
        { replace: true, preventScrollReset: true },
      );
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, find, inAddress, parameter, setSearch]);
  return { text, find, setText };
}
