import { expect, test } from "vitest";
import { factsBeside, withoutSidecars } from "./takeout.ts";

const sidecar = (name: string, timestamp = "1720973109", more: object = {}) =>
  new File([JSON.stringify({ ...more, photoTakenTime: { timestamp, formatted: "14 Jul 2024, 16:05:09 UTC" } })], name);
const TAKEN = "2024-07-14T16:05:09";

test.each([
  ["IMG_1.jpg", "IMG_1.jpg.json"],
  ["IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"],
  ["IMG_1.jpg", "IMG_1.jpg.suppl.json"],
  ["IMG_1(2).jpg", "IMG_1.jpg(2).json"],
  ["IMG_1(2).jpg", "IMG_1.jpg.supplemental-metadata(2).json"],
  ["IMG_1-edited.jpg", "IMG_1.jpg.json"],
  ["IMG_1-modificato.jpg", "IMG_1.jpg.json"],
  ["IMG_1-ha editado.jpg", "IMG_1.jpg.json"],
  ["IMG_1-編集済み.jpg", "IMG_1.jpg.json"],
  ["IMG_1-отредактировано.jpg", "IMG_1.jpg.supplemental-me.json"],
  ["IMG_1-bearbeitet(2).jpg", "IMG_1.jpg.supplemental-metadata(2).json"],
  ["IMG_1.jpg", "IMG_1.jpg.zusätzliche-metadaten.json"],
  ["2024-07-14 16.05.09.jpg", "2024-07-14 16.05.09.jpg.supp.json"],
  ["IMG_1.MP4", "IMG_1.HEIC.supplemental-metadata.json"],
  ["Cafe\u0301.jpg", "Caf\u00e9.jpg.json"],
  ["a-very-long-name-that-a-messenger-gave-to-a-photo.jpg", "a-very-long-name-that-a-messenger-gave-to-a-ph.json"],
])("%s is dated by %s", async (photo, file) => {
  expect((await factsBeside([sidecar(file)]))(photo)?.taken).toBe(TAKEN);
});

test("a sidecar with a place has the local time there", async () => {
  const rome = sidecar("IMG_1.jpg.json", "1720973109", { geoData: { latitude: 41.9, longitude: 12.5, altitude: 0 } });
  expect((await factsBeside([rome]))("IMG_1.jpg")?.taken).toBe("2024-07-14T18:05:09+02:00");
  const nowhere = sidecar("IMG_1.jpg.json", "1720973109", { geoData: { latitude: 0, longitude: 0 }, geoDataExif: {} });
  expect((await factsBeside([nowhere]))("IMG_1.jpg")?.taken).toBe(TAKEN);
});

test("a sidecar with a shortened name is found by the title in it", async () => {
  const short = sidecar("Anna und die ganze Famil.json", "1720973109", { title: "Anna und die ganze Familie.jpg" });
  expect((await factsBeside([short]))("Anna und die ganze Familie.jpg")?.taken).toBe(TAKEN);
});

test.each([
  ["IMG_2.jpg", sidecar("IMG_1.jpg.json")],
  ["IMG_1.jpg", sidecar("IMG_1.jpg(2).json")],
  ["IMG_1.jpg", sidecar("IMG_1.jpg.json", "soon")],
  ["IMG_1.jpg", sidecar("IMG_1.jpg.json", "999999999999")],
  ["IMG_1.jpg", new File(["{}"], "IMG_1.jpg.json")],
  ["IMG_1.jpg", new File(["not JSON"], "IMG_1.jpg.json")],
])("%s is not dated by another file's data", async (photo, file) => {
  expect((await factsBeside([file]))(photo)?.taken).toBeUndefined();
});

test("a sidecar can date a photo before 1970, and two sidecars for one name date none", async () => {
  expect((await factsBeside([sidecar("old.jpg.json", "-236000000")]))("old.jpg")?.taken).toBe("1962-07-10T12:26:40");
  const two = [sidecar("IMG_1.jpg.json"), sidecar("IMG_1.jpg.json", "1")];
  expect((await factsBeside(two))("IMG_1.jpg")?.taken).toBeUndefined();
});

test("a sidecar is left out of a batch with photos, and treated as a photo if it comes alone", () => {
  const [photo, beside] = [new File(["x"], "IMG_1.jpg"), sidecar("IMG_1.jpg.json")];
  expect(withoutSidecars([photo, beside])).toEqual({ media: [photo], sidecars: [beside] });
  expect(withoutSidecars([beside])).toEqual({ media: [beside], sidecars: [] });
});

test("a sidecar names the people in its photo, each once", async () => {
  const people = [{ name: "Aunt May" }, { name: " Rosa " }, { name: "Aunt May" }, { name: "" }, { id: 4 }];
  const facts = async (more: object) =>
    (await factsBeside([sidecar("IMG_1.jpg.json", "1720973109", more)]))("IMG_1.jpg");
  expect(await facts({ people })).toEqual({ taken: TAKEN, people: ["Aunt May", "Rosa"] });
  expect(await facts({ people: "nobody" })).toEqual({ taken: TAKEN });
});
