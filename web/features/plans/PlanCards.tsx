import type { ReactNode } from "react";
import { Skeleton } from "../../ui/Skeleton.tsx";

/** Renders plans side by side with aligned prices and buttons. */
export const PlanCards = ({ children }: { children: ReactNode }) => (
  <ul className="m-0 grid list-none gap-5 p-0 sm:grid-cols-2 sm:max-lg:*:last:odd:col-span-2 lg:grid-cols-[repeat(auto-fit,minmax(15rem,1fr))] lg:grid-rows-[auto_auto_1fr_auto]">
    {children}
  </ul>
);

const PLACES = ["one", "two", "three", "four"];

/** Renders placeholders for the plans while they load. */
export const PlanCardsSkeleton = ({ count = PLACES.length }: { count?: number }) => (
  <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-[repeat(auto-fit,minmax(15rem,1fr))]">
    {PLACES.slice(0, count).map((place) => (
      <Skeleton key={place} className="h-104 rounded-3xl" />
    ))}
  </div>
);
