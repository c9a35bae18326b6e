import { expect, test } from "vitest";
import { changesSince, type Photo, uploadIdOf, withChanges } from "./photo.ts";

const photo = (id: string, more: Partial<Photo> = {}): Photo => ({
  id,
  memory_id: "m",
  user_id: "u",
  type: "image",
  size: 1,
  object_name: `m/${id}.jpg`,
  file_name: "a.jpg",
  width: 3,
  height: 2,
  taken_at: null,
  taken_source: null,
  colour: null,
  state: "ready",
  damaged: false,
  is_cover: false,
  caption: "",
  alt_text: "",
  position: null,
  duration: null,
  poster_name: null,
  playback: null,
  playback_progress: null,
  created_at: "2026-11-20T10:00:00+00:00",
  updated_at: "2026-11-20T10:00:00+00:00",
  ...more,
});
const told = (row: Photo, moderation = "shown") => ({
  ...row,
  moderation,
  placeholder: "data:",
  mime_type: "image/jpeg",
});
const [a, b] = [photo("a"), photo("b")];

test("what comes stands at the end, and what changes stays in its place", () => {
  const changes = [
    { event: "UPDATE" as const, row: told(photo("a", { caption: "The garden" })) },
    { event: "INSERT" as const, row: told(photo("c")) },
  ];
  expect(withChanges([a, b], "m", changes)).toEqual([photo("a", { caption: "The garden" }), b, photo("c")]);
});

test("what was deleted, moved to another memory or hidden goes", () => {
  expect(withChanges([a, b], "m", [{ event: "DELETE", row: { id: "a" } }])).toEqual([b]);
  expect(withChanges([a, b], "m", [{ event: "UPDATE", row: told(photo("a", { memory_id: "n" })) }])).toEqual([b]);
  expect(withChanges([a, b], "m", [{ event: "UPDATE", row: told(a, "hidden") }])).toEqual([b]);
});

test("a photo knows under which id it was uploaded", () => {
  expect(uploadIdOf(photo("x", { object_name: "m/0d2f.jpeg" }))).toBe("0d2f");
});

test("who was away asks for what changed since the newest change they know, and a little before", () => {
  const later = photo("b", { updated_at: "2026-11-20T12:30:00.5+02:00" });
  expect(changesSince([a, later])).toBe("2026-11-20T10:29:00.500Z");
  expect(changesSince([])).toBeUndefined();
});
