import { expect, test } from "vitest";
import { addedBy, authorsOf, kindOf } from "./activity.ts";

const row = (user: string | null, name: string, type: "image" | "video" = "image") => ({
  id: `${user}${name}${type}`,
  type,
  object_name: "a",
  poster_name: null,
  placeholder: null,
  details: { user_id: user },
  credit: { name },
});
const rows = [row("zia", "Zia Carla"), row(null, "Bruno", "video"), row("me", "Ada")];

test("an event of one's own has one's own photos, and another those of everybody else", () => {
  expect(addedBy(rows, "me", "me").map(({ name }) => name)).toEqual(["Ada"]);
  expect(addedBy(rows, undefined, "me").map(({ name }) => name)).toEqual(["Zia Carla", "Bruno"]);
});

test("the last person with a name is named, with others if there are any", () => {
  const others = addedBy(rows, undefined, "me");
  expect(authorsOf(others)).toEqual({ name: "Zia Carla", userId: "zia", others: true });
  expect(authorsOf(others.slice(0, 1))).toEqual({ name: "Zia Carla", userId: "zia", others: false });
  expect(authorsOf([])).toBeUndefined();
});

test("photos are called photos only if all of them are", () => {
  const others = addedBy(rows, undefined, "me");
  expect(kindOf(others, 2)).toBe("both");
  expect(kindOf(others.slice(0, 1), 1)).toBe("photos");
  expect(kindOf(others.slice(0, 1), 20)).toBe("both");
  expect(kindOf(others.slice(1), 1)).toBe("videos");
});
