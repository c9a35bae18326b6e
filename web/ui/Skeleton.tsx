import { classNames } from "./class-names.ts";

/** Placeholder for content that is still loading. `className` gives its size. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classNames("rounded-xl bg-line/70 motion-safe:animate-breathe", className)} />;
}
