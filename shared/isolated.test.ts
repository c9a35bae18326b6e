import { expect, test } from "vitest";
import { isolated } from "./isolated.ts";

test("only words written from right to left are isolated from the sentence around them", () => {
  for (const text of ["שרה", "سارة ١٩", "Sarah כהן"]) expect(isolated(text)).toBe(`\u2068${text}\u2069`);
  for (const text of ["", "Rosa", "Зоя", "花子", "12"]) expect(isolated(text)).toBe(text);
});
