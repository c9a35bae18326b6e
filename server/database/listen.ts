import pg from "pg";

/** Pauses before a lost connection is opened again, in milliseconds; the last one holds from then on. */
const PAUSES_MS = [50, 200, 1000];
/** How often a connection is tested whose loss the listener wants to know of, and how long the answer may take, in milliseconds. */
const PING_MS = 400;

/**
 * Hears `notify` on a channel by a connection of its own, which is opened again when it is lost. What was sent meanwhile is
 * lost, too: `heard` then gets an empty payload, and the listener has to look for itself. With `lost`, the connection is
 * tested all the time, so that one that dies without a word is noticed within a second.
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

/** Ends a connection that leaves a question unanswered. */
function keepTesting(client: pg.Client) {
  let isWaiting = false;
  const endIfSilent = () => {
    if (isWaiting) client.connection.stream.destroy();
  };
  const timer = setInterval(() => {
    // An answer may have arrived while this process was busy: it is read before the callback.
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
