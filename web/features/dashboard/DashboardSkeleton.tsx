import { Skeleton } from "../../ui/Skeleton.tsx";

/** Holds the dashboard's place while it is being read. */
export function DashboardSkeleton({ label }: { label: string }) {
  return (
    <div
      role="status"
      aria-label={label}
      className="relative mx-auto -mt-16 grid w-full max-w-6xl gap-5 px-4 pb-16 sm:gap-6 sm:px-8 lg:grid-cols-[3fr_2fr]"
    >
      {[1, 2, 3, 4].map((panel) => (
        <div key={panel} className="overflow-hidden rounded-3xl border border-line bg-raised">
          <Skeleton className="h-80 rounded-none!" />
        </div>
      ))}
    </div>
  );
}
