import { classNames } from "./class-names.ts";

/** Holds the place and size, given by `className`, of what is still on its way. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classNames("rounded-xl bg-line/70 motion-safe:animate-breathe", className)} />;
}
