import { createHash } from "node:crypto";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { digestStream, digestsOf, readBehind } from "./digests.ts";

const MIB = 1024 * 1024;

const folder = await mkdtemp(join(tmpdir(), "skies-digests-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Bytes with no two equal slices. */
const bytes = (length: number) => Buffer.from(Uint8Array.from({ length }, (_, n) => (n ^ (n >> 8) ^ (n >> 16)) & 255));

const expected = (whole: Buffer) => ({
  size: whole.length,
  sha256: createHash("sha256").update(whole).digest("hex"),
  crc32: crc32(whole),
  head: whole.subarray(0, 64 * 1024),
});

describe("the digests of a file", () => {
  test.each([0, 1, 64 * 1024, MIB, 3 * MIB + 17])("are right for %d bytes", async (length) => {
    const whole = bytes(length);
    const path = join(folder, `whole-${length}`);
    await writeFile(path, whole);
    expect(await digestsOf(path)).toEqual(expected(whole));
  });

  test("are right for a file that is read while it grows", async () => {
    const whole = bytes(5 * MIB + 3);
    const path = join(folder, "growing");
    for (let at = 0; at < whole.length; at += MIB) {
      await appendFile(path, whole.subarray(at, at + MIB));
      readBehind(path, Math.min(whole.length, at + MIB));
    }
    expect(await digestsOf(path)).toEqual(expected(whole));
  });

  test("are right for many files requested at once", async () => {
    const files = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const whole = bytes(MIB * (n % 3) + n + 1);
        const path = join(folder, `together-${n}`);
        await writeFile(path, whole);
        return { path, whole };
      }),
    );
    const digests = await Promise.all(files.map(({ path }) => digestsOf(path)));
    expect(digests).toEqual(files.map(({ whole }) => expected(whole)));
  });

  test("are right for several simultaneous requests of one file", async () => {
    const whole = bytes(2 * MIB + 5);
    const path = join(folder, "asked-twice");
    await writeFile(path, whole);
    expect(await Promise.all([digestsOf(path), digestsOf(path)])).toEqual([expected(whole), expected(whole)]);
  });

  test("are right for a stream and each of its parts, even if some bytes are sent again", async () => {
    const whole = bytes(3 * MIB + 5);
    const [first, second] = [whole.subarray(0, 2 * MIB), whole.subarray(2 * MIB)];
    const stream = digestStream();
    stream.add(second);
    stream.rewind();
    stream.add(first.subarray(0, MIB));
    stream.add(first.subarray(MIB));
    expect(await stream.endPart()).toEqual({ part: expected(first).sha256, digests: expected(first) });
    for (const passing of [first, second]) {
      stream.add(passing);
      stream.rewind();
    }
    stream.add(second);
    expect(await stream.endPart()).toEqual({ part: expected(second).sha256, digests: expected(whole) });
    stream.end();
    expect(await stream.endPart()).toBeUndefined();
    expect((await digestStream().endPart())?.digests).toEqual(expected(Buffer.alloc(0)));
    const few = digestStream(MIB);
    few.add(first.subarray(0, 10));
    few.rewind();
    for (const at of [0, MIB / 2]) few.add(first.subarray(at, at + MIB / 2));
    expect((await few.endPart())?.digests).toEqual(expected(first.subarray(0, MIB)));
  });

  test("are refused for a missing file, and computed once it exists", async () => {
    const path = join(folder, "late");
    readBehind(path, MIB);
    await expect(digestsOf(path)).rejects.toThrow("ENOENT");
    await writeFile(path, bytes(10));
    expect(await digestsOf(path)).toEqual(expected(bytes(10)));
  });
});
