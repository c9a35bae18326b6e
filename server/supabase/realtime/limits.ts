import { normalizeIP } from "@fastify/rate-limit";
import type { Exchange, ReportEntries } from "../../database/exchange.ts";

/** Characters of one filter. A list of a hundred UUIDs takes 3,700. */
export const FILTER_CHARACTERS = 4096;
/** Conditions of one filter. */
export const CONDITIONS_PER_FILTER = 10;
export const BINDINGS_PER_CHANNEL = 50;
export const CHANNELS_PER_SOCKET = 100;
/** Bytes of one message. A join with a long token and many filters takes a few thousand. */
export const MESSAGE_BYTES = 64 * 1024;
/** Received messages without a reply yet. */
export const UNANSWERED_MESSAGES = 200;
/** Messages of one socket. A client that reconnects sends a join for each of its channels at once. */
export const MESSAGE_RATE = { burst: 500, perSecond: 50 };
/** Joins of one socket, refused ones included. */
export const JOIN_RATE = { burst: 200, perSecond: 20 };

/** Joins of one address. Two hundred phones that connect again join about six hundred channels at once. */
const JOIN_RATE_PER_ADDRESS = { burst: 1000, perSecond: 100 };
/** Addresses whose joins are counted. Above that, the least recently used one is forgotten. */
const MOST_JOINING = 10_000;
/** Joins in progress of all sockets. One address has at most half of them, and addresses take turns. */
export const JOINS_AT_ONCE = 8;

/** Limits of one socket's subscriptions, over all of its channels. */
const PER_SOCKET: Usage = { bindings: 500, filterCharacters: 64 * 1024 };
/** Limits of one address, which a household, all guests of a wedding or everyone behind a proxy may share. */
const PER_ADDRESS: Usage = { bindings: 20_000, filterCharacters: 2 * 1024 * 1024 };
const SOCKETS_PER_ADDRESS = 2000;

interface Usage {
  bindings: number;
  filterCharacters: number;
}

/** Returns a function that returns whether one more is allowed: `burst` at once, and `perSecond` on average. */
export function rateLimit({ burst, perSecond }: { burst: number; perSecond: number }): () => boolean {
  let credit = burst;
  let refilledAt = performance.now();
  return () => {
    const now = performance.now();
    credit = Math.min(burst, credit + ((now - refilledAt) / 1000) * perSecond);
    refilledAt = now;
    if (credit < 1) return false;
    credit -= 1;
    return true;
  };
}

export interface SocketBudget {
  /** Whether the address may join one more channel now; counts it. */
  mayJoin(): boolean;
  /** Reserves the bindings of a join; undefined if there are too many, else a function that frees them. */
  reserve(filters: (string | null | undefined)[]): (() => void) | undefined;
  /** Frees the socket itself. */
  close(): void;
}

/** Counts the use of each address's sockets. */
export interface AddressBudgets {
  isFull(address: string): boolean;
  open(address: string): SocketBudget;
}

const ADDRESS_LIMITS = [SOCKETS_PER_ADDRESS, PER_ADDRESS.bindings, PER_ADDRESS.filterCharacters];
/** Addresses below this share of their limits are not reported to other processes. */
const REPORTED_PART = 0.05;
/** The lifetime of another process's report in milliseconds; it is repeated every second. */
const REPORT_LIFETIME_MS = 5000;

/** Opens the budgets of all sockets of this process. The use in other processes counts too, a second later. */
export function openAddressBudgets(exchange: Exchange): AddressBudgets {
  const addresses = new Map<string, Usage & { sockets: number }>();
  /** Kept when an address has no socket any more, so that connecting again gives no new allowance. */
  const joining = new Map<string, () => boolean>();
  const mayJoin = (key: string) => {
    const rate = joining.get(key) ?? rateLimit(JOIN_RATE_PER_ADDRESS);
    joining.delete(key);
    joining.set(key, rate);
    const [oldest] = joining.keys();
    if (joining.size > MOST_JOINING && oldest !== undefined) joining.delete(oldest);
    return rate();
  };
  /** The use of each address in other processes, by process. */
  const elsewhere = new Map<string, Map<string, { use: number[]; until: number }>>();
  exchange.report(
    "sockets",
    () => {
      for (const [key, processes] of elsewhere) {
        for (const [senderId, { until }] of processes) if (until < performance.now()) processes.delete(senderId);
        if (processes.size === 0) elsewhere.delete(key);
      }
      return [...addresses].flatMap(([key, { sockets, bindings, filterCharacters }]): ReportEntries => {
        const use = [sockets, bindings, filterCharacters];
        return use.some((used, index) => used > (ADDRESS_LIMITS[index] ?? 0) * REPORTED_PART) ? [[key, ...use]] : [];
      });
    },
    (entries, senderId) => {
      for (const [key, ...use] of entries) {
        const processes = elsewhere.get(key) ?? new Map();
        elsewhere.set(key, processes.set(senderId, { use, until: performance.now() + REPORT_LIFETIME_MS }));
      }
    },
  );
  /** Returns the number of sockets, bindings or filter characters that an address uses in other processes. */
  const inOthers = (key: string, what: 0 | 1 | 2) =>
    [...(elsewhere.get(key)?.values() ?? [])].reduce((sum, { use }) => sum + (use[what] ?? 0), 0);
  return {
    isFull(address) {
      const key = normalizeIP(address);
      return (addresses.get(key)?.sockets ?? 0) + inOthers(key, 0) >= SOCKETS_PER_ADDRESS;
    },
    open(address) {
      const key = normalizeIP(address);
      const shared = addresses.get(key) ?? { sockets: 0, bindings: 0, filterCharacters: 0 };
      addresses.set(key, shared);
      shared.sockets += 1;
      const own: Usage = { bindings: 0, filterCharacters: 0 };
      return {
        mayJoin: () => mayJoin(key),
        reserve(filters) {
          const usage: Usage = {
            bindings: filters.length,
            filterCharacters: filters.reduce((sum, filter) => sum + (filter?.length ?? 0), 0),
          };
          const fits =
            own.bindings + usage.bindings <= PER_SOCKET.bindings &&
            own.filterCharacters + usage.filterCharacters <= PER_SOCKET.filterCharacters &&
            shared.bindings + inOthers(key, 1) + usage.bindings <= PER_ADDRESS.bindings &&
            shared.filterCharacters + inOthers(key, 2) + usage.filterCharacters <= PER_ADDRESS.filterCharacters;
          if (!fits) return undefined;
          const add = (sign: 1 | -1) => {
            for (const used of [own, shared]) {
              used.bindings += sign * usage.bindings;
              used.filterCharacters += sign * usage.filterCharacters;
            }
          };
          add(1);
          let reserved = true;
          return () => {
            if (reserved) add(-1);
            reserved = false;
          };
        },
        close() {
          shared.sockets -= 1;
          if (shared.sockets === 0) addresses.delete(key);
        },
      };
    },
  };
}
