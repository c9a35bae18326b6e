/** The size of a page of WebAssembly memory. */
const PAGE_BYTES = 65_536;

/**
 * Limits the WebAssembly memory of each decoder in this thread. The limits of a worker do not cover it, and a picture may be
 * larger than the file's header says. Decoders report an error when their memory cannot grow.
 */
export function limitWasmMemory(mostBytes: number): void {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > mostBytes)
      throw new RangeError("The picture is too large to decode");
    return grow.call(this, pages);
  };
}
