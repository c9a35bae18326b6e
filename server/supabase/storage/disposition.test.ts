import { expect, test } from "vitest";
import { attachment, renamed } from "./send.ts";

test.each([
  ["photo.jpg", 'attachment; filename="photo.jpg"'],
  ["a b (1).jpg", 'attachment; filename="a b (1).jpg"'],
  ["nonna è qui.jpg", `attachment; filename="nonna _ qui.jpg"; filename*=UTF-8''nonna%20%C3%A8%20qui.jpg`],
  ['say "hi".jpg', `attachment; filename="say _hi_.jpg"; filename*=UTF-8''say%20%22hi%22.jpg`],
  ["100%.jpg", `attachment; filename="100_.jpg"; filename*=UTF-8''100%25.jpg`],
  ["a\r\nset-cookie: x", `attachment; filename="a__set-cookie: x"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20x`],
])("%j is saved under its name", (name, header) => {
  expect(attachment(name)).toBe(header);
});

test("a lone surrogate does not break the header", () => {
  expect(attachment("\ud800.jpg")).toContain("filename*=UTF-8''%EF%BF%BD.jpg");
});

test("a copy is saved with the file extension of its own format", () => {
  expect(renamed("IMG_1.HEIC", "webp")).toBe("IMG_1.webp");
  expect(renamed("no ending", "webp")).toBe("no ending.webp");
  expect(renamed("two.dots.jpg", "webp")).toBe("two.dots.webp");
});
