/** A bounded queue that serves its owners in turn, so that many items of one owner delay another's by one at a time. */
export class FairQueue<Item> {
  readonly #waiting = new Map<string, Item[]>();
  readonly #most: { perOwner: number; total: number };
  #size = 0;

  constructor(most: { perOwner: number; total: number }) {
    this.#most = most;
  }

  /** Adds an item at the end of its owner's; says which bound it would exceed, if any. */
  add(owner: string, item: Item): "added" | "owner_full" | "full" {
    const own = this.#waiting.get(owner) ?? [];
    if (own.length >= this.#most.perOwner) return "owner_full";
    if (this.#size >= this.#most.total) return "full";
    own.push(item);
    this.#waiting.set(owner, own);
    this.#size += 1;
    return "added";
  }

  /** Takes the next item of the owner whose turn it is. */
  take(): Item | undefined {
    const [owner, own] = this.#waiting.entries().next().value ?? [];
    if (owner === undefined || !own) return undefined;
    const item = own.shift();
    this.#size -= 1;
    // Back at the end of the line.
    this.#waiting.delete(owner);
    if (own.length > 0) this.#waiting.set(owner, own);
    return item;
  }
}
