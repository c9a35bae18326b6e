import { queryOptions } from "@tanstack/react-query";
import type { PrintOptions } from "./qr-pdf.ts";

/** A QR code of a link, as files to download. */
export const qrCodeQuery = (link: string) =>
  queryOptions({
    queryKey: ["qr-code", link],
    queryFn: async () => {
      const { drawQrCode } = await import("./qr-code.ts");
      return drawQrCode(link);
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** The code as a PDF file for printing. The PDF library is loaded on demand. */
export async function printedQrCode(link: string, wishes: PrintOptions): Promise<Blob> {
  const { drawQrPdf } = await import("./draw-qr-pdf.ts");
  return drawQrPdf(link, wishes);
}

/** The outline of a code's dark modules for an SVG, one unit per module, including the border. */
export const qrOutlineQuery = (link: string) =>
  queryOptions({
    queryKey: ["qr-outline", link],
    queryFn: async (): Promise<{ size: number; path: string }> => {
      const { provenMatrix, qrPath } = await import("./qr-code.ts");
      const matrix = provenMatrix(link);
      return { size: matrix.size, path: qrPath(matrix) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
