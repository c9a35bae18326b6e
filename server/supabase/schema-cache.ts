/** The cached database schema, read again when it may have changed. */
export interface SchemaCache<T> {
  /** The cached value; reads it if there is none, or if it was invalidated and may be read again. */
  get(): Promise<T>;
  /** Reads the value again, unless that happened within the last second. */
  refresh(): Promise<T>;
  /** Reads the value again as soon as the limit allows. */
  invalidate(): void;
  /** Cancels a scheduled read. */
  close(): void;
}

/** The minimum time in ms between the end of one read and the start of the next. */
const INTERVAL_MS = 1000;

/** Caches `read`. Calls it at most once a second, for any number of unknown names. Parallel callers share a call. */
export function openSchemaCache<T>(read: () => Promise<T>): SchemaCache<T> {
  let cached: { value: T } | undefined;
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
        cached = { value };
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
  const refresh = async () => (cached && !reading && remaining() > 0 ? cached.value : readNow());

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
    get: async () => (cached && !stale ? cached.value : refresh()),
    refresh,
    invalidate() {
      // A read in progress may have begun before the change, so another read follows it.
      stale = true;
      plan();
    },
    close: () => clearTimeout(planned),
  };
}
