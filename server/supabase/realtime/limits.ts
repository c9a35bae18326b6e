import { normalizeIP } from "@fastify/rate-limit";

/** Characters of one filter; a list of a hundred UUIDs takes 3,700. */
export const FILTER_CHARACTERS = 4096;
/** Conditions of one filter. */
export const CONDITIONS_PER_FILTER = 10;
export const BINDINGS_PER_CHANNEL = 50;
export const CHANNELS_PER_SOCKET = 100;
/** Bytes of one message; a join with a long token and many filters takes a few thousand. */
export const MESSAGE_BYTES = 64 * 1024;
/** Messages received and not yet answered. */
export const UNANSWERED_MESSAGES = 200;
/** Messages of one socket. A client that reconnects sends a join for each of its channels at once. */
export const MESSAGE_RATE = { burst: 500, perSecond: 50 };
/** Joins of one socket, refused ones included. */
export const JOIN_RATE = { burst: 200, perSecond: 20 };

/** What one socket may subscribe to in all its channels together. */
const PER_SOCKET: Usage = { bindings: 500, filterCharacters: 64 * 1024 };
/** The same for one address, which a household shares, or all guests of a wedding, or everybody behind a proxy. */
const PER_ADDRESS: Usage = { bindings: 20_000, filterCharacters: 2 * 1024 * 1024 };
const SOCKETS_PER_ADDRESS = 2000;

interface Usage {
  bindings: number;
  filterCharacters: number;
}

/** Returns a function that tells whether one more is allowed: `burst` at once, and `perSecond` in the long run. */
export function rateLimit({ burst, perSecond }: { burst: number; perSecond: number }): () => boolean {
  let left = burst;
  let refilledAt = performance.now();
  return () => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - refilledAt) / 1000) * perSecond);
    refilledAt = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

/** What one socket uses of the limits. */
export interface SocketBudget {
  /** Reserves room for the bindings of a join; undefined where there is no room, else a function that frees it. */
  reserve(filters: (string | null | undefined)[]): (() => void) | undefined;
  /** Frees the socket itself. */
  close(): void;
}

/** Counts what the sockets of each address use. */
export interface AddressBudgets {
  isFull(address: string): boolean;
  open(address: string): SocketBudget;
}

export function openAddressBudgets(): AddressBudgets {
  const addresses = new Map<string, Usage & { sockets: number }>();
  return {
    isFull: (address) => (addresses.get(normalizeIP(address))?.sockets ?? 0) >= SOCKETS_PER_ADDRESS,
    open(address) {
      const key = normalizeIP(address);
      const shared = addresses.get(key) ?? { sockets: 0, bindings: 0, filterCharacters: 0 };
      addresses.set(key, shared);
      shared.sockets += 1;
      const own: Usage = { bindings: 0, filterCharacters: 0 };
      const limits: [Usage, Usage][] = [
        [own, PER_SOCKET],
        [shared, PER_ADDRESS],
      ];
      return {
        reserve(filters) {
          const bindings = filters.length;
          const filterCharacters = filters.reduce((sum, filter) => sum + (filter?.length ?? 0), 0);
          const fits = limits.every(
            ([used, most]) =>
              used.bindings + bindings <= most.bindings &&
              used.filterCharacters + filterCharacters <= most.filterCharacters,
          );
          if (!fits) return undefined;
          const add = (sign: 1 | -1) => {
            for (const [used] of limits) {
              used.bindings += sign * bindings;
              used.filterCharacters += sign * filterCharacters;
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
