import { expect, test } from "vitest";
import { droppedFiles } from "./DropAnywhere.tsx";

const fileEntry = (name: string) => ({
  ...{ name, isFile: true, isDirectory: false },
  file: (resolve: (file: File) => void) => resolve(new File(["x"], name)),
});

function folder(name: string, inner: object[]) {
  return {
    ...{ name, isFile: false, isDirectory: true },
    createReader() {
      const left = [...inner];
      return { readEntries: (resolve: (entries: object[]) => void) => resolve(left.splice(0, 2)) };
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
    ...["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"],
  ]);
});

test("system files in a dropped folder are ignored", async () => {
  const clutter = [".DS_Store", "Thumbs.db", "desktop.ini"].map(fileEntry);
  const mac = folder("__MACOSX", [fileEntry("._a.jpg")]);
  expect(await names(dropOf([folder("Rosa", [...clutter, mac, fileEntry("a.jpg")])]))).toEqual(["a.jpg"]);
});

test("an empty folder does not count as a file", async () => {
  expect(await names(dropOf([folder("empty", [])]))).toEqual([]);
});
