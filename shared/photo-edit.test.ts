import { expect, test } from "vitest";
import { editKey } from "./edit-key.ts";
import { editedSize, filePoint, isEdit, type PhotoEdit, shownPoint, turned } from "./photo-edit.ts";

const EDIT: PhotoEdit = { turn: 0, straighten: 0, crop: [0, 0, 1, 1] };

test("four quarter turns, or one and its opposite, show the file again", () => {
  expect([90, 90, 90, 90].reduce<PhotoEdit | null>(turned, null)).toBeNull();
  expect(turned(turned(null, 90), -90)).toBeNull();
  const edit: PhotoEdit = { turn: 90, straighten: -2.5, crop: [0.1, 0.2, 0.3, 0.4] };
  expect(turned(turned(edit, 270), 90)).toEqual(edit);
  expect(turned(edit, 90)).toEqual({ turn: 180, straighten: -2.5, crop: [0.4, 0.1, 0.4, 0.3] });
});

test("the size follows turn, straightening and crop", () => {
  const size = { width: 4000, height: 3000 };
  expect(editedSize(size, null)).toEqual(size);
  expect(editedSize(size, { ...EDIT, turn: 90 })).toEqual({ width: 3000, height: 4000 });
  expect(editedSize(size, { ...EDIT, crop: [0, 0, 0.5, 0.25] })).toEqual({ width: 2000, height: 750 });
  const straightened = editedSize(size, { ...EDIT, straighten: 10 });
  expect(straightened.width / straightened.height).toBeCloseTo(4 / 3, 2);
  expect(straightened.width).toBeLessThan(3300);
});

test("each edit has a key of its own", () => {
  expect(editKey(null)).toBe("");
  expect(editKey({ ...EDIT, turn: 90, of: [3, 2] })).toBe("90_0_0_0_1_1");
});

test("a point of the file is found in the picture as shown, and back", () => {
  const edits: PhotoEdit[] = [
    { ...EDIT, turn: 90, of: [4000, 3000] },
    { turn: 270, straighten: 7.5, crop: [0.1, 0.05, 0.8, 0.9], of: [4000, 3000] },
    { turn: 180, straighten: -20, crop: [0.05, 0.05, 0.9, 0.9], of: [1000, 3000] },
  ];
  for (const edit of edits) {
    const point = { x: 0.45, y: 0.52 };
    const shown = shownPoint(point, edit);
    if (!shown) throw new Error("The point is inside");
    const back = filePoint(shown, edit);
    expect(back.x).toBeCloseTo(point.x, 3);
    expect(back.y).toBeCloseTo(point.y, 3);
  }
  expect(shownPoint({ x: 0.2, y: 0.1 }, { ...EDIT, turn: 90 })).toEqual({ x: 0.9, y: 0.2 });
  expect(shownPoint({ x: 0.1, y: 0.1 }, { ...EDIT, crop: [0.5, 0, 0.5, 1] })).toBeUndefined();
});

test.each([
  ["an unknown turn", { ...EDIT, turn: 45 }],
  ["a turn as text", { ...EDIT, turn: "90" }],
  ["not a number", { ...EDIT, straighten: Number.NaN }],
  ["no end", { ...EDIT, straighten: Number.POSITIVE_INFINITY }],
  ["too steep", { ...EDIT, straighten: 45.1 }],
  ["too many decimals", { ...EDIT, straighten: 1.25 }],
  ["a negative crop", { ...EDIT, crop: [-0.1, 0, 0.5, 0.5] }],
  ["a crop outside", { ...EDIT, crop: [0.6, 0, 0.5, 0.5] }],
  ["a huge crop", { ...EDIT, crop: [0, 0, 1e308, 1] }],
  ["a tiny crop", { ...EDIT, crop: [0, 0, 0.04, 1] }],
  ["three numbers", { ...EDIT, crop: [0, 0, 1] }],
  ["another key", { ...EDIT, blur: 3 }],
  ["a missing key", { turn: 90, straighten: 0 }],
  ["a text", "90"],
  ["a list", [90]],
])("is no edit: %s", (_what, value) => {
  expect(isEdit(value)).toBe(false);
});
