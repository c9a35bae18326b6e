/** The cached database schema, read again when it may have changed. */
export interface SchemaCache<T> {
  /** The cached value; reads it if there is none, or if it was invalidated and may be read again. */
  get(): Promise<T>;
  /** Reads the value again, unless that happened within the last second. */
  refresh(): Promise<T>;
  /** Reads the value again as soon as the limit allows. */
  invalidate(): void;
  /** Cancels a scheduled reading. */
  close(): void;
}

/** The least time between the end of one reading and the start of the next. */
const INTERVAL_MS = 1000;

/** Caches `read`, at most once a second however many unknown names are requested; parallel callers share one. */
export function openSchemaCache<T>(read: () => Promise<T>): SchemaCache<T> {
  let known: { value: T } | undefined;
  let stale = false;
  let reading: Promise<T> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let planned: NodeJS.Timeout | undefined;

  const readNow = (): Promise<T> => {
    if (reading) return reading;
    clearTimeout(planned);
    planned = undefined;
    stale = false;
    reading = read()
      .then((value) => {
        known = { value };
        return value;
      })
      .catch((error: unknown) => {
        stale = true;
        throw error;
      })
      .finally(() => {
        reading = undefined;
        readAt = performance.now();
      });
    return reading;
  };
  const remaining = () => readAt + INTERVAL_MS - performance.now();
  const refresh = async () => (known && !reading && remaining() > 0 ? known.value : readNow());

  const plan = () => {
    planned ??= setTimeout(
      () => {
        planned = undefined;
        if (reading || remaining() > 0) return plan();
        // A failure leaves the known value; the next caller reads again.
        readNow().catch(() => {});
      },
      reading ? INTERVAL_MS : Math.max(0, remaining()),
    ).unref();
  };

  return {
    get: async () => (known && !stale ? known.value : refresh()),
    refresh,
    invalidate() {
      // A reading in progress may have begun before the change, so another one follows it.
      stale = true;
      plan();
    },
    close: () => clearTimeout(planned),
  };
}
