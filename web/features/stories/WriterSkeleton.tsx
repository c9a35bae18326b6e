import { Skeleton } from "../../ui/Skeleton.tsx";

/** A placeholder of the story form while it loads. */
export function WriterSkeleton() {
  return <Skeleton className="mx-auto h-96 w-full max-w-[44rem] rounded-3xl" />;
}
