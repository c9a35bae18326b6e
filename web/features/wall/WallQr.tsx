import { useEffect, useState } from "react";
import { paths } from "../../paths.ts";

/** The QR code of the link for adding, drawn in SVG. Its code is read back before it is shown. */
export function WallQr({ shareId, label, className }: { shareId: string; label: string; className: string }) {
  const [code, setCode] = useState<{ path: string; size: number }>();
  const url = new URL(paths.shared(shareId), location.origin).href;
  useEffect(() => {
    let ended = false;
    void import("../../lib/qr/qr-code.ts").then(({ provenMatrix, qrPath }) => {
      const matrix = provenMatrix(url);
      if (!ended) setCode({ path: qrPath(matrix), size: matrix.size });
    });
    return () => {
      ended = true;
    };
  }, [url]);
  return (
    <svg
      role="img"
      aria-label={label}
      className={className}
      viewBox={`0 0 ${code?.size ?? 1} ${code?.size ?? 1}`}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      {code && <path d={code.path} />}
    </svg>
  );
}
