import { Camera, CameraOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cardCode } from "../../../../shared/card.ts";
import { useLatest } from "../../../lib/browser/use-latest.ts";
import { Button } from "../../../ui/Button.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { type BoardColumn, useMark } from "./board.queries.ts";

const STEPS = ["engraved", "sent", "returned"] as const;

/** Extracts the code from scanned or typed text: a card's link, or the code itself. */
const codeIn = (read: string) => cardCode(read.trim().split("/").at(-1) ?? "");

/** The workbench: marks a card as soon as its code is typed, scanned or read by the camera. */
export function Bench() {
  const { t } = useTranslation("adminCards");
  const [making, setMaking] = useState<BoardColumn>("engraved");
  const [typed, setTyped] = useState("");
  const [camera, setCamera] = useState(false);
  const [said, setSaid] = useState<{ text: string; isWrong: boolean }>();
  const mark = useMark();
  const scan = (read: string) => {
    const code = codeIn(read);
    setTyped("");
    if (code.length !== 12) return setSaid({ text: t("bench.noCode"), isWrong: true });
    mark.mutate(
      { of: [code], making },
      {
        onSuccess: () => setSaid({ text: t("bench.marked", { code, column: t(`columns.${making}`) }), isWrong: false }),
        onError: ({ message }) => setSaid({ text: `${code}: ${message}`, isWrong: true }),
      },
    );
  };
  return (
    <details className="rounded-3xl border border-line bg-raised p-4 sm:p-5">
      <summary className="min-h-11 cursor-pointer content-center font-semibold">{t("bench.title")}</summary>
      <div className="mt-4 grid justify-items-start gap-4">
        <SegmentedControl
          label={t("bench.mark")}
          value={making}
          onChange={setMaking}
          options={STEPS.map((value) => ({ value, label: t(`columns.${value}`) }))}
        />
        <form
          className="flex w-full flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim()) scan(typed);
          }}
        >
          <TextField
            label={t("bench.code")}
            hint={t("bench.hint")}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
            className="w-full max-w-md"
          />
          <Button type="submit">{t("bench.submit")}</Button>
          <Button variant="quiet" aria-pressed={camera} onClick={() => setCamera(!camera)}>
            {camera ? <CameraOff aria-hidden className="size-5" /> : <Camera aria-hidden className="size-5" />}
            {t(camera ? "bench.cameraOff" : "bench.camera")}
          </Button>
        </form>
        {camera && <Viewfinder onRead={scan} onFailed={() => setSaid({ text: t("bench.noCamera"), isWrong: true })} />}
        <p role="status" className={said?.isWrong ? "text-danger-text" : "font-semibold text-deep"}>
          {said?.text}
        </p>
      </div>
    </details>
  );
}

/** Milliseconds between two analysed frames. */
const FRAME_MS = 200;

/** Shows the camera's picture and reports each code once. */
function Viewfinder({ onRead, onFailed }: { onRead: (read: string) => void; onFailed: () => void }) {
  const { t } = useTranslation("adminCards");
  const video = useRef<HTMLVideoElement>(null);
  const latest = useLatest({ onRead, onFailed });
  useEffect(() => {
    let over = false;
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = "";
    const canvas = document.createElement("canvas");
    const start = async () => {
      const [{ default: jsQR }, opened] = await Promise.all([
        import("jsqr"),
        navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } }),
      ]);
      stream = opened;
      const screen = video.current;
      if (over || !screen) return stop();
      screen.srcObject = opened;
      await screen.play();
      const look = () => {
        const [width, height] = [screen.videoWidth, screen.videoHeight];
        const context = canvas.getContext("2d", { willReadFrequently: true });
        if (width > 0 && context) {
          canvas.width = width;
          canvas.height = height;
          context.drawImage(screen, 0, 0);
          // By default, jsQR also reads inverted codes: on a black card the engraving is lighter than the card.
          const read = jsQR(context.getImageData(0, 0, width, height).data, width, height)?.data ?? "";
          if (read && read !== last) latest.current.onRead(read);
          last = read || last;
        }
        timer = setTimeout(look, FRAME_MS);
      };
      look();
    };
    const stop = () => {
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    start().catch(() => over || latest.current.onFailed());
    return () => {
      over = true;
      stop();
    };
  }, []);
  return (
    <video
      ref={video}
      muted
      playsInline
      aria-label={t("bench.viewfinder")}
      className="aspect-video w-full max-w-md rounded-2xl bg-night object-cover"
    />
  );
}
