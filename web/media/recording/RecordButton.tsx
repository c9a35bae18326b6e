import { Mic } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { type KeptRecording, unfinishedRecording } from "./recording-store.ts";
import { type AddRecording, canRecord, type Recorded, VoiceRecorder } from "./voice-recorder.ts";

const RecordDialog = lazyPart(
  async () => ({ default: (await import("./RecordDialog.tsx")).RecordDialog }),
  "over the page",
);

interface RecordButtonProps {
  memoryId: string;
  /** Whether it shows its text beside the icon. */
  labelled?: boolean;
  onFiles: AddRecording;
}

/** A button that records the microphone in one press. Nothing appears in browsers that cannot. */
export function RecordButton({ memoryId, labelled = false, onFiles }: RecordButtonProps) {
  const { t } = useTranslation("recording");
  const [unfinished, setUnfinished] = useState<KeptRecording & { bytes: Blob }>();
  const [recorded, setRecorded] = useState<Recorded>();
  useEffect(() => {
    let isCurrent = true;
    if (!recorded) void unfinishedRecording(memoryId).then((recording) => isCurrent && setUnfinished(recording));
    return () => {
      isCurrent = false;
    };
  }, [memoryId, recorded]);
  if (!canRecord()) return labelled ? null : <span className="size-11" />;
  const label = t(unfinished ? "unfinished" : "start");
  const start = () => setRecorded(unfinished ?? new VoiceRecorder(memoryId));
  return (
    <>
      {labelled || unfinished ? (
        <Button icon={Mic} variant="quiet" onClick={start}>
          {label}
        </Button>
      ) : (
        <IconButton icon={Mic} label={label} onClick={start} />
      )}
      {recorded && (
        <Suspense>
          <RecordDialog
            recorded={recorded}
            onFiles={onFiles}
            onAgain={() => setRecorded(new VoiceRecorder(memoryId))}
            onClose={() => setRecorded(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
