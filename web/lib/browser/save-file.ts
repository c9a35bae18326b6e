/** Hands what an address answers to the browser's downloads, under this name; the page stays, also when it answers no. */
export function saveFrom(url: string, name: string) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

/** Hands a file that was made here to the browser's downloads. */
export function saveFile(file: Blob, name: string) {
  const url = URL.createObjectURL(file);
  saveFrom(url, name);
  // The browser reads the address after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
