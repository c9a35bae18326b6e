/** Reads `length` bytes of a file from position `at`; fewer at the end of the file. */
export type ReadBytes = (at: number, length: number) => Promise<Uint8Array>;

const MOST_ENTRIES = 200;
const ENTRY_BYTES = 12;

/** An entry of a TIFF directory. */
export interface TiffEntry {
  tag: number;
  type: number;
  count: number;
  /** The position of the values. Short values are stored in the entry itself. */
  valuesAt: number;
}

/** Reads numbers and directories of a TIFF. Beyond the end of the file, numbers are 0 and directories are empty. */
export class TiffReader {
  constructor(
    private readonly read: ReadBytes,
    private readonly littleEndian: boolean,
  ) {}

  async number(at: number, length: 2 | 4): Promise<number> {
    return this.decode(await this.read(at, length), 0, length);
  }

  async directory(at: number): Promise<{ entries: TiffEntry[]; next: number }> {
    const count = Math.min(at >= 8 ? await this.number(at, 2) : 0, MOST_ENTRIES);
    const bytes = count > 0 ? await this.read(at + 2, count * ENTRY_BYTES + 4) : new Uint8Array();
    const entries = Array.from({ length: count }, (_, index) => {
      const from = index * ENTRY_BYTES;
      const [tag, type] = [this.decode(bytes, from, 2), this.decode(bytes, from + 2, 2)];
      const values = this.decode(bytes, from + 4, 4);
      const fits = values * (type === SHORT ? 2 : type === LONG ? 4 : 1) <= 4;
      return { tag, type, count: values, valuesAt: fits ? at + 2 + from + 8 : this.decode(bytes, from + 8, 4) };
    });
    return { entries, next: this.decode(bytes, count * ENTRY_BYTES, 4) };
  }

  value({ type, valuesAt }: TiffEntry): Promise<number> {
    return this.number(valuesAt, type === SHORT ? 2 : 4);
  }

  /** The first values of an entry with integers, at most `most`. */
  async values({ type, count, valuesAt }: TiffEntry, most: number): Promise<number[]> {
    const length = type === SHORT ? 2 : 4;
    const bytes = await this.read(valuesAt, Math.min(count, most) * length);
    return Array.from({ length: Math.floor(bytes.length / length) }, (_, index) =>
      this.decode(bytes, index * length, length),
    );
  }

  async text({ count, valuesAt }: TiffEntry): Promise<string> {
    return String.fromCharCode(...(await this.read(valuesAt, Math.min(count, 64)))).replace(/\0.*$/s, "");
  }

  private decode(bytes: Uint8Array, at: number, length: 2 | 4): number {
    let number = 0;
    for (let index = 0; index < length; index++) {
      const byte = bytes[at + (this.littleEndian ? length - 1 - index : index)] ?? 0;
      number = number * 256 + byte;
    }
    return number;
  }
}

const SHORT = 3;
const LONG = 4;
