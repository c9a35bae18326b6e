/** The part of OpenJPEG's JavaScript interface that is used here. */
declare module "@cornerstonejs/codec-openjpeg/decodewasmjs" {
  interface Decoder {
    /** A view of WebAssembly memory for the file. */
    getEncodedBuffer(length: number): Uint8Array;
    readHeader(): void;
    decode(): void;
    decodeSubResolution(halvings: number, layer: number): void;
    /** Interleaved samples, of two bytes each beyond 8 bits; a view of WebAssembly memory. */
    getDecodedBuffer(): Uint8Array;
    /** The size is that of the whole picture, also after `decodeSubResolution`. */
    getFrameInfo(): {
      width: number;
      height: number;
      bitsPerSample: number;
      componentCount: number;
      isSigned: boolean;
    };
    getColorSpace(): number;
    delete(): void;
  }
  const load: (options: {
    locateFile(): string;
    print(): void;
    printErr(): void;
  }) => Promise<{ J2KDecoder: new () => Decoder }>;
  export default load;
}
