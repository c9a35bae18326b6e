import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeName, uniqueNames, withEnding } from "./file-names.ts";

describe("a name is changed to one that every system accepts", () => {
  test.each([
    ["IMG_0001.JPG", "IMG_0001.JPG"],
    ["Perché no? 日本 🌿.jpg", "Perché no_ 日本 🌿.jpg"],
    ["../../etc/passwd", "_.._etc_passwd"],
    ["C:\\Windows\\system.ini", "C__Windows_system.ini"],
    ["a\u0000b\nc.jpg", "a_b_c.jpg"],
    ["con.jpg", "_con.jpg"],
    ["LPT1", "_LPT1"],
    ["aux.tar.gz", "_aux.tar.gz"],
    ["trailing. . ", "trailing"],
    [".hidden", "hidden"],
    ["cod\u202egpj.exe", "codgpj.exe"],
    ["e\u0301te\u0301.jpg", "été.jpg"],
    ["\ud800lone.jpg", "lone.jpg"],
    ["???", "photo"],
    ["   ", "photo"],
    ["", "photo"],
  ])("%j becomes %j", (name, safe) => {
    expect(safeName(name, "photo")).toBe(safe);
  });

  test("a long name keeps its file extension", () => {
    expect(safeName(`${"🌿".repeat(200)}.jpeg`, "photo")).toMatch(/^🌿+\.jpeg$/u);
    expect(safeName(`${"x".repeat(300)}.jpeg`, "photo")).toBe(`${"x".repeat(75)}.jpeg`);
  });

  test("any text becomes a valid file name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (original) => {
        const name = safeName(original, "photo");
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
        expect(name).toMatch(/^[^<>:"/\\|?*\u0000-\u001f]+$/);
        expect(name).not.toMatch(/^[.\s]|[.\s]$/);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(Buffer.from(name).toString()).toBe(name);
      }),
    );
  });
});

test("two names in a folder are different on every system", () => {
  const unique = uniqueNames();
  const names = ["IMG_1.jpg", "img_1.JPG", "IMG_1.jpg", "IMG_1 (2).jpg", "straße.jpg", "STRASSE.jpg"];
  expect(names.map((name) => unique("photos", name))).toEqual([
    "IMG_1.jpg",
    "img_1 (2).JPG",
    "IMG_1 (3).jpg",
    "IMG_1 (2) (2).jpg",
    "straße.jpg",
    "STRASSE (2).jpg",
  ]);
  expect(unique("videos", "IMG_1.jpg")).toBe("IMG_1.jpg");
});

test("a copy has the file extension of its own format", () => {
  expect(withEnding("IMG_1.HEIC", "webp")).toBe("IMG_1.webp");
  expect(withEnding("no ending", "webp")).toBe("no ending.webp");
});
