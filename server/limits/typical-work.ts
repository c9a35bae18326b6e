/** The weight of the last request in the typical work of its kind. */
const WEIGHT = 0.3;
const MOST_KINDS = 10_000;

/** How many places of a queue work takes: one for each `workOfPlace` milliseconds, at most `mostPlaces`. */
interface PlaceSize {
  workOfPlace: number;
  mostPlaces: number;
}

/** The typical work of kinds of requests, in milliseconds. The cost of a request is known only at its end. */
export interface TypicalWork {
  /** The places that the next request of a kind takes; one if the kind is new. */
  places(kind: string): number;
  /** Records the work of a request of a kind. */
  record(kind: string, used: number): void;
}

/** Remembers the typical work of the most recently used kinds. */
export function typicalWork({ workOfPlace, mostPlaces }: PlaceSize): TypicalWork {
  const typical = new Map<string, number>();
  return {
    places: (kind) => Math.min(mostPlaces, Math.max(1, Math.ceil((typical.get(kind) ?? 0) / workOfPlace))),
    record(kind, used) {
      const before = typical.get(kind) ?? used;
      typical.delete(kind);
      typical.set(kind, before + (used - before) * WEIGHT);
      const [oldest] = typical.keys();
      if (typical.size > MOST_KINDS && oldest !== undefined) typical.delete(oldest);
    },
  };
}
