import { element } from "./boxes.ts";
import { SECRET } from "./private-movie.ts";

const number = (value: number, width = 1) => {
  const bytes = Buffer.alloc(width);
  bytes.writeUIntBE(value, 0, width);
  return bytes;
};
const double = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};
/** A block of a track, at so many milliseconds of its cluster. */
const block = (track: number, time: number, content: string) =>
  Buffer.concat([Buffer.from([0x80 | track]), number(time, 2), Buffer.from([0x80]), Buffer.from(content)]);

/** A WebM video (64 by 48) of two seconds that tells the secret wherever it can; `live` as a page records it. */
export function privateWebm({ live = false } = {}): Buffer {
  const header = element(
    0x1a45dfa3,
    Buffer.concat([
      ...[
        element(0x4286, number(1)),
        element(0x42f7, number(1)),
        element(0x42f2, number(4)),
        element(0x42f3, number(8)),
      ],
      ...[element(0x4282, "webm"), element(0x4287, number(4)), element(0x4285, number(2))],
    ]),
  );
  const info = element(
    0x1549a966,
    Buffer.concat([
      ...[element(0xbf, number(1234, 4), { width: 1 }), element(0x2ad7b1, number(1_000_000, 3))],
      ...(live ? [] : [element(0x4489, double(2000))]),
      ...[element(0x7ba9, SECRET), element(0x4461, double(1)), element(0x4d80, SECRET), element(0x5741, SECRET)],
    ]),
  );
  const track = (id: number, type: number, codec: string, more: Buffer[] = []) =>
    element(
      0xae,
      Buffer.concat([
        ...[element(0xd7, number(id)), element(0x73c5, number(id)), element(0x83, number(type))],
        ...[element(0x86, codec), element(0x536e, SECRET), ...more],
      ]),
    );
  const tracks = element(
    0x1654ae6b,
    Buffer.concat([
      track(1, 1, "V_VP8", [element(0xe0, Buffer.concat([element(0xb0, number(64)), element(0xba, number(48))]))]),
      track(2, 17, "D_WEBVTT/METADATA"),
    ]),
  );
  const cluster = (at: number, ...blocks: Buffer[]) =>
    element(0x1f43b675, Buffer.concat([element(0xe7, number(at, 2)), ...blocks]), { width: 8, open: live });
  const segment = Buffer.concat([
    ...[info, element(0xec, SECRET, { width: 1 }), tracks],
    cluster(
      0,
      element(0xa3, block(1, 0, "picture one"), { width: 1 }),
      element(0xa0, Buffer.concat([element(0xa1, block(2, 0, SECRET)), element(0x9b, number(200))]), { width: 2 }),
      element(0xa3, block(1, 900, "picture two")),
    ),
    cluster(1000, element(0xa3, block(1, 500, "picture three")), element(0xa3, block(2, 600, SECRET))),
    ...[
      element(0x1254c367, SECRET, { width: 8 }),
      element(0x1941a469, SECRET),
      element(0x1043a770, SECRET, { width: 3 }),
    ],
  ]);
  return Buffer.concat([header, element(0x18538067, segment, { width: 8, open: live })]);
}
