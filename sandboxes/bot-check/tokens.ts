/** What siteverify answers to a token that is agreed upon to be refused, and why. */
export const REFUSED: Record<string, string> = {
  refuse: "invalid-input-response",
  expired: "timeout-or-duplicate",
  "internal-error": "internal-error",
};

/** What it does instead of answering, by token. */
export const TROUBLES = ["unauthorized", "unavailable", "nonsense", "wrong-shape", "hang-up", "silence"] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Remembers the last so many tokens that were asked about: each is good once. */
const REMEMBERED = 10_000;

export function spentTokens() {
  const spent = new Set<string>();
  return {
    /** Spends a token; false where it was spent before. */
    spend(token: string): boolean {
      if (spent.has(token)) return false;
      spent.add(token);
      const [oldest] = spent;
      if (spent.size > REMEMBERED && oldest !== undefined) spent.delete(oldest);
      return true;
    },
  };
}
