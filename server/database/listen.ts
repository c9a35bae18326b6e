import pg from "pg";

/** Pauses before a lost connection is reopened, in milliseconds; the last one repeats. */
const PAUSES_MS = [50, 200, 1000];
/** The interval and timeout of connection tests, in milliseconds. */
const PING_MS = 400;

/**
 * Listens to a channel on a separate connection, which is reopened when it is lost. Notifications are lost meanwhile:
 * `heard` then gets an empty payload, and the listener has to read the state itself. With `lost`, the connection is
 * tested continuously, so that a silent loss is noticed within a second.
 */
export async function keepListening(url: string, channel: string, heard: (payload: string) => void, lost?: () => void) {
  let client: pg.Client | undefined;
  let again: NodeJS.Timeout | undefined;
  let attempts = 0;
  let stopped = false;
  const open = async () => {
    const next = new pg.Client({ connectionString: url });
    next.on("notification", (message) => heard(message.payload ?? ""));
    next.on("error", () => {});
    next.once("end", () => {
      if (!stopped) lost?.();
      reopen();
    });
    await next.connect();
    await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    attempts = 0;
    if (lost) keepTesting(next);
    if (client) heard("");
    client = next;
  };
  const reopen = () => {
    if (stopped || again) return;
    const pause = PAUSES_MS[Math.min(attempts, PAUSES_MS.length - 1)];
    attempts += 1;
    again = setTimeout(() => {
      again = undefined;
      open().catch(reopen);
    }, pause);
  };
  await open();
  return async () => {
    stopped = true;
    clearTimeout(again);
    await client?.end();
  };
}

/** Ends a connection that does not answer. */
function keepTesting(client: pg.Client) {
  let isWaiting = false;
  const endIfSilent = () => {
    if (isWaiting) client.connection.stream.destroy();
  };
  const timer = setInterval(() => {
    // An answer may have arrived while this process was busy; it is read before the callback.
    if (isWaiting) return setImmediate(endIfSilent);
    isWaiting = true;
    client.query("select").then(
      () => {
        isWaiting = false;
      },
      () => {},
    );
  }, PING_MS).unref();
  client.once("end", () => clearInterval(timer));
}
