import { expect, test } from "vitest";
import { droppedFiles } from "./DropAnywhere.tsx";

const fileEntry = (name: string) => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (resolve: (file: File) => void) => resolve(new File(["x"], name)),
});

function folder(name: string, inner: object[]) {
  return {
    name,
    isFile: false,
    isDirectory: true,
    createReader() {
      const remaining = [...inner];
      return { readEntries: (resolve: (entries: object[]) => void) => resolve(remaining.splice(0, 2)) };
    },
  };
}

/** A drop with entries and plain files, as in a browser. */
function dropOf(entries: { name: string }[]): DataTransfer {
  const items = entries.map((entry) => ({ kind: "file", webkitGetAsEntry: () => entry }));
  return { items, files: entries.map(({ name }) => new File(["x"], name)) } as unknown as DataTransfer;
}

const names = async (drop: DataTransfer) => (await droppedFiles(drop)).map(({ name }) => name);

test("a dropped folder gives all files in it and in its subfolders", async () => {
  const year = folder("2019", [fileEntry("a.jpg"), fileEntry("b.jpg"), fileEntry("c.jpg")]);
  expect(await names(dropOf([folder("Rosa", [year, fileEntry("d.jpg")]), fileEntry("e.jpg")]))).toEqual([
    "a.jpg",
    "b.jpg",
    "c.jpg",
    "d.jpg",
    "e.jpg",
  ]);
});

test("system files in a dropped folder are ignored", async () => {
  const clutter = [".DS_Store", "Thumbs.db", "desktop.ini"].map(fileEntry);
  const mac = folder("__MACOSX", [fileEntry("._a.jpg")]);
  expect(await names(dropOf([folder("Rosa", [...clutter, mac, fileEntry("a.jpg")])]))).toEqual(["a.jpg"]);
});

test("a camera's card gives its recordings, without its lists and thumbnails", async () => {
  const stream = folder("STREAM", [fileEntry("00000.MTS"), fileEntry("00001.MTS")]);
  const lists = [folder("CLIPINF", [fileEntry("00000.CPI")]), folder("PLAYLIST", [fileEntry("00000.MPL")])];
  const avchd = folder("AVCHD", [
    folder("BDMV", [fileEntry("INDEX.BDM"), ...lists, stream]),
    fileEntry("AVIN0001.TDT"),
  ]);
  const canon = folder("100CANON", [fileEntry("MVI_1.AVI"), fileEntry("MVI_1.THM"), fileEntry("IMG_2.AAE")]);
  const lonely = folder("rest", [fileEntry("MVI_9.THM")]);
  expect(await names(dropOf([folder("PRIVATE", [avchd, canon, lonely])]))).toEqual([
    "00000.MTS",
    "00001.MTS",
    "MVI_1.AVI",
    "MVI_9.THM",
  ]);
});

test("an empty folder does not count as a file", async () => {
  expect(await names(dropOf([folder("empty", [])]))).toEqual([]);
});
