import { syntaxError } from "./errors.ts";

/** Letters, digits, `_`, `$`, spaces, and single dashes within: the characters of an unquoted name. */
const NAME = /[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*/uy;

/** Parses a short text from left to right. An error contains the position and the expected text. */
export class Reader {
  at = 0;

  constructor(readonly text: string) {}

  get done() {
    return this.at >= this.text.length;
  }

  fail(expected: string): never {
    throw syntaxError(this.text, this.at, expected);
  }

  sees(word: string): boolean {
    return this.text.startsWith(word, this.at);
  }

  /** Skips `word` if it is next. */
  eat(word: string): boolean {
    if (!this.sees(word)) return false;
    this.at += word.length;
    return true;
  }

  expect(word: string) {
    if (!this.eat(word)) this.fail(`"${word}"`);
  }

  end() {
    if (!this.done) this.fail("end of input");
  }

  skipSpaces() {
    while (this.sees(" ")) this.at += 1;
  }

  /** Reads the match of a sticky pattern at the current position, if there is one. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const token = pattern.exec(this.text)?.[0];
    if (token !== undefined) this.at += token.length;
    return token;
  }

  rest(): string {
    const rest = this.text.slice(this.at);
    this.at = this.text.length;
    return rest;
  }

  /** Reads a name. It is in double quotes if it contains other characters than {@link NAME} allows. */
  name(what = "a name"): string {
    if (this.sees('"')) return this.quoted();
    const start = this.at;
    const name = this.match(NAME)?.trim();
    if (name) return name;
    this.at = start;
    return this.fail(what);
  }

  /** Reads a text in double quotes, with backslash escapes. */
  quoted(): string {
    this.expect('"');
    let read = "";
    while (!this.sees('"')) {
      this.eat("\\");
      if (this.done) this.fail('"');
      read += this.text[this.at];
      this.at += 1;
    }
    this.at += 1;
    return read;
  }

  /** Reads a list of `one`, separated by commas. */
  list<T>(one: () => T): T[] {
    const items: T[] = [];
    do {
      this.skipSpaces();
      items.push(one());
      this.skipSpaces();
    } while (this.eat(","));
    return items;
  }
}
