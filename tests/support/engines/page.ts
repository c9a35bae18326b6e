import { expect } from "@playwright/test";
import type { Wanted } from "./find.ts";

/** How a page is opened. */
export interface Opening {
  width?: number;
}

/**
 * A page as a person uses it, the same in each engine: elements are found by role and name, and waited for. `Handle` is
 * an element as the engine's driver names it.
 */
export abstract class EnginePage<Handle = unknown> {
  abstract goto(path: string): Promise<unknown>;
  abstract reload(): Promise<unknown>;
  abstract path(): Promise<string>;
  /** Runs a function in the page, which uses nothing from outside. */
  abstract run<Args extends unknown[], Result>(
    work: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  /** Presses keys one after the other: characters, or names such as `Escape`. */
  abstract keys(...keys: string[]): Promise<unknown>;

  protected abstract lookUp(wanted: Wanted): Promise<Handle | undefined>;
  protected abstract scroll(element: Handle): Promise<unknown>;
  protected abstract click(element: Handle): Promise<unknown>;
  protected abstract write(element: Handle, text: string): Promise<unknown>;
  protected abstract give(element: Handle, files: string[]): Promise<unknown>;

  has = async (wanted: Wanted) => (await this.lookUp(wanted)) !== undefined;
  /** Waits until there is such an element. */
  sees = (wanted: Wanted) => expect.poll(() => this.has(wanted), { message: JSON.stringify(wanted) }).toBe(true);
  misses = (wanted: Wanted) =>
    expect.poll(() => this.has(wanted), { message: `no ${JSON.stringify(wanted)}` }).toBe(false);
  /** Waits for words, without regard to capitals: style sheets change them. */
  reads = (words: string) =>
    expect
      // biome-ignore lint/performance/useDomNodeTextContent: only what is drawn can be read
      .poll(async () => (await this.run(() => document.body.innerText)).toLowerCase(), { message: words })
      .toContain(words.toLowerCase());

  press = (wanted: Wanted) => this.#on(wanted, (element) => this.click(element));
  scrollTo = (wanted: Wanted) => this.#on(wanted, (element) => this.scroll(element));
  /** Types into a field, over what it contains. */
  fill = (name: string, text: string, inside?: string) =>
    this.#on({ name, inside }, (element) => this.write(element, text));
  /** Chooses files in an input, which is mostly hidden behind a button. */
  choose = (css: string, files: string[]) => this.#on({ css, hidden: true }, (element) => this.give(element, files));

  /** Does something to an element, and again if it was replaced or covered meanwhile. */
  #on = (wanted: Wanted, work: (element: Handle) => Promise<unknown>) =>
    expect(async () => {
      const element = await this.lookUp(wanted);
      if (element === undefined) throw new Error(`There is no ${JSON.stringify(wanted)}`);
      await work(element);
    }).toPass();
}
