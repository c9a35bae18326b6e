/** Downloads a URL under this name; the page stays, also on an error response. */
export function saveFrom(url: string, name: string) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

/** Downloads a file that was made in the browser. */
export function saveFile(file: Blob, name: string) {
  const url = URL.createObjectURL(file);
  saveFrom(url, name);
  // The browser reads the URL after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
