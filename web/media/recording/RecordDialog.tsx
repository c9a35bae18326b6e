import { Check, CirclePause, Mic, Plus, Square, Trash2 } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { createStore, useStore } from "../../lib/browser/store.ts";
import { writtenDuration } from "../../lib/formatting/duration.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { useObjectUrl } from "../uploads/UploadRow.tsx";
import { forgetHandedOver, handOver, removeRecording } from "./recording-store.ts";
import {
  type AddRecording,
  LONGEST_MS,
  type Recorded,
  type RecorderView,
  recordingFile,
  VoiceRecorder,
} from "./voice-recorder.ts";

interface RecordDialogProps {
  onFiles: AddRecording;
  recorded: Recorded;
  onAgain: () => void;
  onClose: () => void;
}

/** Records with a level and a pause, plays what was recorded, and adds it. */
export function RecordDialog({ recorded, onFiles, onAgain, onClose }: RecordDialogProps) {
  const { t } = useTranslation("recording");
  const recorder = recorded instanceof VoiceRecorder ? recorded : undefined;
  const recording = recorded instanceof VoiceRecorder ? recorded.recording : recorded;
  const recordings = useMemo(
    () =>
      createStore<RecorderView>({
        state: "ended",
        elapsed: 0,
        ...(!(recorded instanceof VoiceRecorder) && { bytes: recorded.bytes }),
      }),
    [recorded],
  );
  const { state, elapsed, bytes } = useStore(recorder?.view ?? recordings);
  const url = useObjectUrl(bytes);
  const isRunning = state === "recording" || state === "paused";
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      // React may run an effect twice while it is developed.
      queueMicrotask(() => !isOpen.current && recorder?.stop());
    };
  }, [recorder]);

  const add = async () => {
    if (!bytes) return;
    handOver(recording.id);
    onClose();
    const stored = onFiles([recordingFile(t("name"), recording, bytes)]);
    if (stored) await stored.then(forgetHandedOver);
  };
  const remove = async (after: () => void) => {
    await removeRecording(recording.id);
    after();
  };
  // Closing ends the recording first, so that nothing is lost by a press beside the dialog.
  const close = () => (isRunning ? recorder?.stop() : onClose());

  return (
    <Dialog title={t("title")} open onOpenChange={(open) => !open && close()}>
      <div className="grid justify-items-center gap-5 text-center">
        {state === "asking" && <p role="status">{t("asking")}</p>}
        {state === "refused" && (
          <>
            <p role="alert">{t("refused")}</p>
            <Button icon={Mic} onClick={onAgain}>
              {t("again")}
            </Button>
          </>
        )}
        {isRunning && recorder && (
          <>
            <p role="status" className="text-ink-soft">
              {t(state)}
            </p>
            <p className="font-serif text-5xl tabular-nums">{writtenDuration(Math.floor(elapsed / 1000))}</p>
            <Level recorder={recorder} />
            <p className="text-sm text-ink-soft">{t("limit", { count: LONGEST_MS / 60_000 })}</p>
            <div className="flex flex-wrap justify-center gap-3">
              {state === "recording" ? (
                <Button icon={CirclePause} variant="quiet" onClick={() => recorder.pause()}>
                  {t("pause")}
                </Button>
              ) : (
                <Button icon={Mic} variant="quiet" onClick={() => recorder.resume()}>
                  {t("resume")}
                </Button>
              )}
              <Button icon={Square} onClick={() => recorder.stop()}>
                {t("stop")}
              </Button>
            </div>
          </>
        )}
        {state === "ended" && (
          <>
            <p role="status" className="text-ink-soft">
              {t(recorder ? "ended" : "found")}
            </p>
            {/* biome-ignore lint/a11y/useMediaCaption: the person's own words, just spoken */}
            {url && <audio controls src={url} aria-label={t("listen")} className="w-full" />}
            <div className="flex flex-wrap justify-center gap-3">
              <Button icon={Check} onClick={() => void add()} disabled={!bytes || bytes.size === 0}>
                {t("add")}
              </Button>
              <Button icon={Plus} variant="quiet" onClick={() => void remove(onAgain)}>
                {t("fresh")}
              </Button>
              <Button icon={Trash2} variant="plain" onClick={() => void remove(onClose)}>
                {t("delete")}
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}

const BARS = 24;

/** The loudness of the last seconds as bars, the newest at the right. */
function Level({ recorder }: { recorder: VoiceRecorder }) {
  const [levels, setLevels] = useState<readonly number[]>(() => Array<number>(BARS).fill(0));
  const frame = useRef(0);
  useEffect(() => {
    let last = 0;
    const draw = (time: number) => {
      if (time - last > 80) {
        last = time;
        setLevels((before) => [...before.slice(1), recorder.level()]);
      }
      frame.current = requestAnimationFrame(draw);
    };
    frame.current = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame.current);
  }, [recorder]);
  return (
    <div aria-hidden data-level={Math.max(...levels).toFixed(2)} className="flex h-16 items-center gap-1 text-deep">
      {levels.map((level, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: bars have places, not identities
          key={index}
          className="w-1.5 rounded-full bg-current"
          style={{ height: `${Math.max(6, level * 100)}%` }}
        />
      ))}
    </div>
  );
}
