import { Skeleton } from "../../ui/Skeleton.tsx";

/** Renders a placeholder for the story form while the form loads. */
export function WriterSkeleton() {
  return <Skeleton className="h-96 w-full max-w-[44rem] rounded-3xl" />;
}
