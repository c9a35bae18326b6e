import { expect, test } from "vitest";
import { memoriesLabel } from "./memories-label.ts";

const [tribute, event] = [{ kind: "tribute" }, { kind: "event" }] as const;

test("Spec §2: the navigation says Collections to a person whose memories are all events, else Memories", () => {
  expect(memoriesLabel([event, event])).toBe("collections");
  expect(memoriesLabel([event, tribute])).toBe("memories");
  expect(memoriesLabel([tribute])).toBe("memories");
  expect(memoriesLabel([])).toBe("memories");
});
