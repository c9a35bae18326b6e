import { expect, test } from "vitest";
import { textsIn } from "../../../tests/support/texts.ts";
import { type RefusedKind, refusedKind } from "./refused-kind.ts";

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test.each<[string, string, string, RefusedKind]>([
  ["a file that is still in the cloud", "", "IMG_1.JPG", "empty"],
  ["an SVG", '<?xml version="1.0"?><svg xmlns="">', "logo.svg", "drawing"],
  ["a drawing for a printer", "%!PS-Adobe-3.0 EPSF-3.0", "card.eps", "drawing"],
  ["a GIMP picture", "gimp xcf file", "a.xcf", "drawing"],
  ["a Word document", "\xd0\xcf\x11\xe0", "letter.doc", "document"],
  ["a Word document named as a photo", "\xd0\xcf\x11\xe0", "letter.jpg", "document"],
  ["an old Word document", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "letter.doc", "document"],
  ["a Word document", "PK\x03\x04\x14\0", "letter.docx", "document"],
  ["a text", "Dear Nonna, ", "letter.txt", "document"],
  ["an icon", "\0\0\x01\0\x01\0", "favicon.ico", "picture"],
  ["a Targa picture", "\0\0\x02\0\0", "a.tga", "picture"],
  ["a Flash video", "FLV\x01\x05", "party.flv", "video"],
  ["an Ogg video", "OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x2a\x80theora", "party.ogv", "video"],
  ["a song", "ID3\x04\0", "song.mp3", "sound"],
  ["a song without a description", "\xff\xfb\x90\x44", "song", "sound"],
  ["a voice note", "OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead", "PTT-1.opus", "sound"],
  ["an iPhone's recording", "\0\0\0\x1cftypM4A ", "voice.m4a", "sound"],
  ["an archive", "PK\x03\x04\x14\0", "holiday.zip", "archive"],
  ["an archive of another kind", "Rar!\x1a\x07", "holiday.rar", "archive"],
  ["a program", "MZ\x90\0", "setup.exe", "other"],
])("%s is refused as what it is", (_what, head, name, kind) => {
  expect(refusedKind(latin1(head), name)).toBe(kind);
});

test("each kind has an advice in both languages", () => {
  const kinds: RefusedKind[] = ["empty", "drawing", "picture", "video", "sound", "archive", "document", "other"];
  for (const language of ["en", "it"] as const) {
    const say = textsIn(language);
    for (const kind of kinds) expect(say(`media:refused.${kind}`)).toMatch(/^\p{Lu}.{30,}\.$/u);
  }
});
