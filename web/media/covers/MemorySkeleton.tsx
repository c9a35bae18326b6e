import { Skeleton } from "../../ui/Skeleton.tsx";

/** Holds the place of a memory's page while it is read. */
export function MemorySkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label}>
      <Skeleton className="min-h-[min(72svh,46rem)] rounded-none" />
      <div className="mx-auto grid max-w-[38rem] gap-4 px-5 py-12">
        <Skeleton className="h-6" />
        <Skeleton className="h-6" />
        <Skeleton className="h-6 w-2/3" />
      </div>
    </div>
  );
}
