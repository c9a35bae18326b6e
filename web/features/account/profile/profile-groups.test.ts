import { expect, test } from "vitest";
import { groupOf } from "./profile-groups.ts";

test("a group is reached by its own address and by that of each of its sections; otherwise the first is open", () => {
  expect(["", "#about-you", "#preferences", "#unknown"].map(groupOf)).toEqual(Array(4).fill("about-you"));
  expect(["#sign-in", "#factors", "#waysIn", "#devices"].map(groupOf)).toEqual(Array(4).fill("sign-in"));
  expect(["#emails", "#notices", "#wishes"].map(groupOf)).toEqual(Array(3).fill("emails"));
  expect(["#purchases", "#bought", "#your-data", "#data", "#delete"].map(groupOf)).toEqual([
    "purchases",
    "purchases",
    "your-data",
    "your-data",
    "your-data",
  ]);
});
