import { EventEmitter } from "node:events";
import pg from "pg";

/** The length from which a message of PostgreSQL is long. Most are much shorter. */
const LONG_BYTES = 16_384;
/** A message begins with a byte for its kind, and the length of the rest. */
const HEADER_BYTES = 5;
const DATA_ROW = "D".charCodeAt(0);

/** A row whose columns stay bytes; `null` for no value. */
export type LongRow = (Buffer | null)[];

/** The driver's method that reads the server's messages from a stream; its published types lack it. */
interface Reading {
  attachListeners(stream: EventEmitter): void;
}

const receivers = new WeakMap<pg.Connection, (row: LongRow) => void>();

/** Gives long rows of this connection to `receive` instead of the driver, until it is called without. */
export function receiveLongRows(connection: pg.Connection, receive?: (row: LongRow) => void): void {
  if (receive) receivers.set(connection, receive);
  else receivers.delete(connection);
}

/**
 * A client of the driver that can give long rows as bytes. The driver copies a long row again and again while it arrives,
 * and turns its columns into strings, which are turned into bytes again for an answer. For an answer of 700 KB that
 * takes over 20 ms of the main thread, in which everybody else waits.
 */
export class LongRowClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this;
    const reading = connection as unknown as Reading;
    const attach = reading.attachListeners.bind(connection);
    reading.attachListeners = (stream) => {
      const others = new EventEmitter();
      const pass = (bytes: Buffer) => others.emit("data", bytes);
      const passLong = (message: Buffer) => {
        const receive = message[0] === DATA_ROW ? receivers.get(connection) : undefined;
        if (receive) receive(columnsOf(message));
        else pass(message);
      };
      stream.on("data", separateLong(pass, passLong));
      stream.on("end", () => others.emit("end"));
      attach(others);
    };
  }
}

/**
 * Returns a function for the bytes of a stream of messages. It gives each long message to `long` as a whole, and all
 * other bytes to `others`, in their order.
 */
export function separateLong(
  others: (bytes: Buffer) => void,
  long: (message: Buffer) => void,
): (bytes: Buffer) => void {
  /** The beginning of a header. */
  let begun: Buffer | undefined;
  /** The current message, if it is long, and how many bytes of the current message have not arrived. */
  let message: Buffer | undefined;
  let missing = 0;

  return (received) => {
    const bytes = begun ? Buffer.concat([begun, received]) : received;
    begun = undefined;
    let at = 0;
    let passed = 0;
    const pass = () => {
      if (at > passed) others(bytes.subarray(passed, at));
    };
    while (at < bytes.length) {
      if (missing === 0) {
        if (bytes.length - at < HEADER_BYTES) {
          begun = bytes.subarray(at);
          break;
        }
        missing = bytes.readUInt32BE(at + 1) + 1;
        if (missing >= LONG_BYTES) {
          pass();
          message = Buffer.allocUnsafe(missing);
        }
      }
      const end = Math.min(at + missing, bytes.length);
      if (message) {
        bytes.copy(message, message.length - missing, at, end);
        passed = end;
      }
      missing -= end - at;
      at = end;
      if (message && missing === 0) {
        const whole = message;
        message = undefined;
        long(whole);
      }
    }
    pass();
  };
}

/** Reads the columns of a row: their number, and each with its length; -1 for no value. */
function columnsOf(row: Buffer): LongRow {
  let at = HEADER_BYTES + 2;
  return Array.from({ length: row.readUInt16BE(HEADER_BYTES) }, () => {
    const start = at + 4;
    const length = row.readInt32BE(at);
    at = start + Math.max(0, length);
    return length < 0 ? null : row.subarray(start, at);
  });
}
