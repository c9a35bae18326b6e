import { Children, type CSSProperties, type ReactNode } from "react";
import { Skeleton } from "../../ui/Skeleton.tsx";

/**
 * The columns of a wide screen follow from the number of plans. Columns that follow from the plans in the document would
 * move the first plans on a slow line, while the browser is still reading the others.
 */
const columnsFor = (count: number) => ({ "--columns": Math.min(count, 4) }) as CSSProperties;

/** Renders plans side by side with aligned prices and buttons. */
export const PlanCards = ({ children }: { children: ReactNode }) => (
  <ul
    style={columnsFor(Children.count(children))}
    className="m-0 grid list-none gap-5 p-0 sm:grid-cols-2 sm:max-lg:*:last:odd:col-span-2 lg:grid-cols-[repeat(var(--columns),minmax(0,1fr))] lg:grid-rows-[auto_auto_1fr_auto]"
  >
    {children}
  </ul>
);

const PLACES = ["one", "two", "three", "four"];

/** Renders placeholders for the plans while they load. */
export const PlanCardsSkeleton = ({ count = PLACES.length }: { count?: number }) => (
  <div
    style={columnsFor(count)}
    className="grid gap-5 sm:grid-cols-2 lg:grid-cols-[repeat(var(--columns),minmax(0,1fr))]"
  >
    {PLACES.slice(0, count).map((place) => (
      <Skeleton key={place} className="h-104 rounded-3xl" />
    ))}
  </div>
);
