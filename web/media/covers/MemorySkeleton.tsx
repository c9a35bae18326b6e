import { Skeleton } from "../../ui/Skeleton.tsx";

/** A placeholder of a memory's page while it loads. */
export function MemorySkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label}>
      <Skeleton className="min-h-(--hero) rounded-none" />
      <div className="page-width grid gap-4 py-12 [&>*]:max-w-[42rem]">
        <Skeleton className="h-6" />
        <Skeleton className="h-6" />
        <Skeleton className="h-6 w-2/3" />
      </div>
    </div>
  );
}
