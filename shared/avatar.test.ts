import { expect, test } from "vitest";
import { AVATAR_SKIES, avatarOf } from "./avatar.ts";

test.each([
  ["Ada Rossi", "AR"],
  ["zia pina", "ZP"],
  ["Maria Grazia dell’Orto (Mimì)", "MM"],
  ["Élodie", "É"],
  ["O'Brien", "O"],
  ["王 小明", "王小"],
  ["  ", ""],
  ["", ""],
])("%j has the initials %j", (name, initials) => {
  expect(avatarOf(name).initials).toBe(initials);
});

test("a name keeps its sky, and names are spread over all skies", () => {
  const skyOf = (name: string) => AVATAR_SKIES.indexOf(avatarOf(name).sky);
  expect(["Ada Rossi", "zia pina", "王 小明"].map(skyOf)).toEqual([3, 0, 7]);
  const used = new Set(Array.from({ length: 100 }, (_, index) => skyOf(`Guest ${index}`)));
  expect([...used].sort()).toEqual([...AVATAR_SKIES.keys()]);
});

test("white letters are readable on every sky", () => {
  const light = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  for (const colour of AVATAR_SKIES.flat()) expect(1.05 / (light(colour) + 0.05), colour).toBeGreaterThan(4.5);
});
