import { Skeleton } from "../../ui/Skeleton.tsx";

/** Holds the dashboard's place while it is being read. */
export function DashboardSkeleton({ label }: { label: string }) {
  return (
    <div
      role="status"
      aria-label={label}
      className="page-width relative -mt-16 grid gap-5 pb-16 sm:gap-6 lg:grid-cols-[3fr_2fr]"
    >
      {[1, 2, 3, 4].map((panel) => (
        <div key={panel} className="overflow-hidden rounded-3xl border border-line bg-raised">
          <Skeleton className="h-80 rounded-none!" />
        </div>
      ))}
    </div>
  );
}
