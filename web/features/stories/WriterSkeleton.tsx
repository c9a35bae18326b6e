import { Skeleton } from "../../ui/Skeleton.tsx";

/** Holds the place of the form in which a story is written. */
export function WriterSkeleton() {
  return <Skeleton className="mx-auto h-96 w-full max-w-[44rem] rounded-3xl" />;
}
