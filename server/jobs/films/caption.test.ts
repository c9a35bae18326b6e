import sharp from "sharp";
import { expect, test } from "vitest";
import { captionPicture, FILM, linesOf } from "./caption.ts";

const widthOf = (line: string) => line.length;

test.each([
  ["", []],
  ["At the lake", ["At the", "lake"]],
  ["One\n\ntwo", ["One", "two"]],
  ["A B C D E F G H I J K L M", ["A B C D", "E F G H", "I J K L…"]],
  ["Donaudampfschiff", ["Donaudam", "pfschiff"]],
])("the caption “%s” is broken into lines", (text, lines) => {
  expect(linesOf(text, widthOf, 8, 3)).toEqual(lines);
});

/** The brightest value at the foot of the picture of a caption. */
async function brightest(caption: string): Promise<number> {
  const picture = await captionPicture(caption);
  if (!picture) return 0;
  const foot = { left: 0, top: FILM.height - 240, width: FILM.width, height: 240 };
  const { channels } = await sharp(picture).extract(foot).stats();
  return channels[0]?.max ?? 0;
}

test("captions are drawn in white at the foot, in any script, and nothing is drawn for none", async () => {
  for (const caption of [
    "At the lake",
    "Γιαγιά Ρόζα",
    "<b>&amp;</b>",
    "祖母の誕生日 <&>",
    "جدة",
    "祖母 ".repeat(400),
    "m".repeat(2000),
  ]) {
    expect([caption, await brightest(caption)]).toEqual([caption, 255]);
  }
  expect(await captionPicture(" \n ")).toBeUndefined();
});
