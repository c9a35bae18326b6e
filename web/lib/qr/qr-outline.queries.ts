import { queryOptions } from "@tanstack/react-query";

/** The code of a link as the outline of its dark modules, for a picture that holds it; a module a unit, border included. */
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
