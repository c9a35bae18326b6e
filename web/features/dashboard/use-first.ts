import { useState } from "react";

export interface FirstOf<T> {
  all: readonly T[];
  shown: readonly T[];
  /** Whether more is there than is shown at first. */
  long: boolean;
  open: boolean;
  toggle: () => void;
}

/** The first few of a list, and all of it once somebody asks. */
export function useFirst<T>(all: readonly T[], count: number): FirstOf<T> {
  const [open, setOpen] = useState(false);
  // One more than the rest would be worth a button is simply shown.
  const long = all.length > count + 1;
  return { all, shown: open || !long ? all : all.slice(0, count), long, open, toggle: () => setOpen(!open) };
}
