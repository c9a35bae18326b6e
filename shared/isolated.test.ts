import { expect, test } from "vitest";
import { isolated } from "./isolated.ts";

test("only words written from right to left are isolated from the sentence around them", () => {
  for (const words of ["שרה", "سارة ١٩", "Sarah כהן"]) expect(isolated(words)).toBe(`\u2068${words}\u2069`);
  for (const words of ["", "Rosa", "Зоя", "花子", "12"]) expect(isolated(words)).toBe(words);
});
