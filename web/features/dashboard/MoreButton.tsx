import { useState } from "react";
import { Button } from "../../ui/Button.tsx";

interface MoreButtonProps {
  list: Pick<FirstOf<unknown>, "long" | "open" | "toggle">;
  more: string;
  fewer: string;
}

/** Expands or collapses a list; hidden if the list is complete. */
export function MoreButton({ list, more, fewer }: MoreButtonProps) {
  if (!list.long) return null;
  return (
    <Button variant="plain" aria-expanded={list.open} onClick={list.toggle} className="-ml-4 justify-self-start">
      {list.open ? fewer : more}
    </Button>
  );
}

interface FirstOf<T> {
  all: readonly T[];
  visibleItems: readonly T[];
  /** Whether there are more items than are shown at first. */
  long: boolean;
  open: boolean;
  toggle: () => void;
}

/** The first items of a list, and all after expanding it. */
export function useFirst<T>(all: readonly T[], count: number): FirstOf<T> {
  const [open, setOpen] = useState(false);
  // A single further item is shown instead of a button.
  const long = all.length > count + 1;
  return { all, visibleItems: open || !long ? all : all.slice(0, count), long, open, toggle: () => setOpen(!open) };
}
