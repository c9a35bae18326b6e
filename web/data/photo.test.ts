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
  time_order: null,
  colour: null,
  state: "ready",
  damaged: false,
  animated: false,
  is_cover: false,
  caption: "",
  alt_text: "",
  position: null,
  duration: null,
  peaks: null,
  pages: null,
  poster_name: null,
  playback: null,
  playback_progress: null,
  visitor_copy: null,
  motion: null,
  has_raw: false,
  has_back: false,
  back_width: null,
  back_height: null,
  back_text: "",
  edit: null,
  created_at: "2026-11-20T10:00:00+00:00",
  updated_at: "2026-11-20T10:00:00+00:00",
  revision: 1,
  ...more,
});
/** A row of `media` as realtime sends it: without the restricted fields. */
const visible = ({ user_id, file_name, taken_source, ...row }: Photo, moderation = "shown") => ({
  ...row,
  taken_at: row.taken_at?.slice(0, 10) ?? null,
  moderation,
  placeholder: "data:",
});
const media = (event: "INSERT" | "UPDATE" | "DELETE", row: Record<string, unknown>) => ({ event, table: "media", row });
const [a, b] = [photo("a"), photo("b")];

test("a new photo is added at the end, and a changed one keeps its position", () => {
  const changes = [
    media("UPDATE", visible(photo("a", { caption: "The garden" }))),
    media("INSERT", visible(photo("c"))),
  ];
  const unknown = { user_id: null, file_name: "", taken_source: null };
  expect(withChanges([a, b], "m", changes)).toEqual([photo("a", { caption: "The garden" }), b, photo("c", unknown)]);
});

test("a deleted, moved or hidden photo is removed", () => {
  expect(withChanges([a, b], "m", [media("DELETE", { id: "a" })])).toEqual([b]);
  expect(withChanges([a, b], "m", [media("UPDATE", visible(photo("a", { memory_id: "n" })))])).toEqual([b]);
  expect(withChanges([a, b], "m", [media("UPDATE", visible(a, "hidden"))])).toEqual([b]);
});

test("media details arrive separately and are kept while the photo's row changes", () => {
  const timed = photo("a", { taken_at: "2024-07-14T16:05:09", taken_source: "exif" });
  expect(withChanges([timed], "m", [media("UPDATE", visible({ ...timed, caption: "x" }))])).toEqual([
    { ...timed, caption: "x" },
  ]);
  const moved = visible({ ...timed, taken_at: "1962" });
  expect(withChanges([timed], "m", [media("UPDATE", moved)])).toEqual([{ ...timed, taken_at: "1962" }]);
  const { user_id, file_name, taken_at, taken_source } = timed;
  const details = { media_id: "a", user_id, file_name, taken_at, taken_source };
  const changes = [media("INSERT", visible(timed)), { event: "INSERT" as const, table: "media_details", row: details }];
  expect(withChanges([], "m", changes)).toEqual([timed]);
  expect(withChanges([], "m", changes.slice(1))).toEqual([]);
});

test("the upload id of a photo is in its object name", () => {
  expect(uploadIdOf(photo("x", { object_name: "m/0d2f.jpeg" }))).toBe("0d2f");
});

test("a reconnect requests the changes since shortly before the newest known one", () => {
  const later = photo("b", { updated_at: "2026-11-20T12:30:00.5+02:00" });
  expect(changesSince([a, later])).toBe("2026-11-20T10:29:00.500Z");
  expect(changesSince([])).toBeUndefined();
});
